// Writes RESULTS.md from the reports of the last runs: the score of each room and of its files.
//
//   node tools/mutation/results.mjs
//
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { rooms } from './rooms.mjs'

const found = new Set(['Killed', 'Timeout'])
const alive = new Set(['Survived', 'NoCoverage'])

function countsOf(mutants) {
  const count = (statuses) => mutants.filter(({ status }) => statuses.has(status)).length
  return { found: count(found), all: count(found) + count(alive) }
}

function rowOf(name, { found, all }) {
  return `| ${name} | ${all} | ${found} | ${all === 0 ? '' : ((100 * found) / all).toFixed(1)} |`
}

function reportOf(room) {
  const path = `coverage/mutation/${room}/report.json`
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

function sectionOf(room) {
  const report = reportOf(room)
  if (report === undefined) return `## ${room}\n\nNot run.`
  const files = Object.entries(report.files).filter(([, { mutants }]) => mutants.length > 0)
  const whole = countsOf(files.flatMap(([, { mutants }]) => mutants))
  const rows = files.map(([path, { mutants }]) => rowOf(path, countsOf(mutants)))
  const head = ['| file | mutants | found | % |', '| --- | --: | --: | --: |']
  return [`## ${room}`, [...head, rowOf('**all**', whole), ...rows].join('\n')].join('\n\n')
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
const date = new Date().toISOString().slice(0, 10)
const introduction = `# Mutants, as found by the tests

Stryker changes the code in one place, and the tests have to fail. A mutant that no test runs counts
as not found. Code that runs while files load is left out. \`.ci/long mutation\` measures this anew;
\`node tools/mutation/results.mjs\` writes this page. Written on ${date}, commit ${commit}.`

const page = [introduction, ...Object.keys(rooms).map(sectionOf)].join('\n\n')
writeFileSync(new URL('RESULTS.md', import.meta.url), `${page}\n`)
