import fc from 'fast-check'

// Reports that show only an error's message would otherwise hide why a property failed.
fc.configureGlobal({ includeErrorInReport: true })
