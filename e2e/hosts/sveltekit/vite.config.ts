import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig } from 'vite'

// SvelteKit takes a DELETE without a content type for a form of another site. The api itself
// accepts no forms. An app with forms of its own leaves this out, and its clients send "origin" or
// "content-type".
const csrf = { trustedOrigins: ['*'] }

export default defineConfig({ plugins: [sveltekit({ adapter: adapter(), csrf })] })
