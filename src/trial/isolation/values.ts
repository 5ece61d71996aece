/** Texts of restricted fields. No response may hold them. */
export const hiddenTexts: readonly string[] = ['hiddenfirst', 'hiddensecond']

/** The same, and numbers that no response may hold. */
export const hiddenMarks: readonly unknown[] = [...hiddenTexts, 7_310_457, 2_310_981]

/** Values of restricted fields to try where no schema tells what a field takes. */
export const hiddenValues: readonly unknown[] = [
  ...hiddenMarks,
  1,
  2,
  true,
  false,
  '2026-01-31',
  '2026-02-28',
  '2026-01-31T12:00:00Z',
  '2026-02-28T12:00:00Z',
  null,
]
