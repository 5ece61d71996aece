import type { NextConfig } from 'next'

// Else Next.js answers paths that end with "/" by a redirect.
const config: NextConfig = { skipTrailingSlashRedirect: true }

export default config
