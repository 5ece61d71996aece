/** The first notes. */
export const notes = [
  { id: 'a', text: 'Äpfel und Birnen', weight: 2, done: false, tags: ['fruit'], revision: 1 },
  { id: 'b', text: 'brød 100%', weight: 0.5, revision: 1 },
  { id: 'c', text: 'Ärger_mit_dem_Kamin', done: true, revision: 4 },
  { id: 'd', text: '😀 emoji', weight: 1e21, tags: [], revision: 1 },
  { id: 'é/%2F?', text: 'an id that has to be escaped', revision: 1 },
]
