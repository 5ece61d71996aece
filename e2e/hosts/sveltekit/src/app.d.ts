import type { User } from './notes'

declare global {
  namespace App {
    interface Locals {
      user: User | undefined
    }
  }
}
