import fc from 'fast-check'

// Reports that show only the message of an error would otherwise say that a property failed, and not how.
fc.configureGlobal({ includeErrorInReport: true })
