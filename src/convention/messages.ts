/** The author of the texts of issues: the core, or the validator. */
export type MessagesOption = 'core' | 'validator'
