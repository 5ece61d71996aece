import { writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { type CheckOptions, checkServer } from '../check/command.ts'
import { formatData } from '../check/print.ts'
import { formatReport, tallyOf } from '../check/report.ts'
import { UsageError } from '../check/usage-error.ts'
import { toOpenApi } from '../openapi.ts'
import { explain } from './explain.ts'
import { dataOf, formatExplanation } from './explained.ts'
import { loadSource } from './load.ts'
import { type RequestedOptions, requestedOf } from './requested.ts'
import { adviceOn, formatOffers, offersOf } from './routes.ts'
import * as texts from './texts.ts'

/** Where a command writes to. */
export interface Desk {
  /** Writes a line to the standard output. */
  readonly tell: (text: string) => void
  /** Writes a line to the standard error. */
  readonly warn: (text: string) => void
  /** Says what the process will exit with, unless it is 0. */
  readonly fail: (code: number) => void
  /** The version of this package. */
  readonly version: string
}

interface OpenApiFlags {
  readonly out?: string
  readonly title: string
  readonly version: string
  readonly server: readonly string[]
}

interface Flags {
  readonly json?: boolean
}

/** The command line: its commands, and what they are told with `--help`. */
export function programFor(desk: Desk): Command {
  const program = new Command('nounful')
    .description(texts.about)
    .version(desk.version)
    .addHelpText('after', texts.afterAbout)
    .showHelpAfterError('(nounful --help tells what there is)')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: (text) => desk.tell(text.replace(/\n$/, '')) })
  addRoutes(program, desk)
  addOpenApi(program, desk)
  addExplain(program, desk)
  addCheck(program, desk)
  return program
}

function addRoutes(program: Command, { tell, warn }: Desk): void {
  program
    .command('routes')
    .description(texts.routes)
    .argument('<module>', texts.moduleArgument)
    .option('--json', texts.json)
    .addHelpText('after', texts.afterRoutes)
    .action(async (place: string, { json }: Flags) => {
      const source = await loadSource(place)
      const offers = offersOf(source)
      tell(json ? formatData(offers) : formatOffers(offers))
      for (const advice of adviceOn(source)) warn(advice)
    })
}

function addOpenApi(program: Command, { tell, warn }: Desk): void {
  program
    .command('openapi')
    .description(texts.openapi)
    .argument('<module>', texts.moduleArgument)
    .option('--out <file>', 'write to a file instead of the standard output')
    .option('--title <text>', 'the title of the service', 'API')
    .option('--version <text>', 'the version of the document', '1.0.0')
    .option('--server <url>', 'where the service is; repeatable', gather, [])
    .addHelpText('after', texts.afterOpenApi)
    .action(async (place: string, { out, title, version, server }: OpenApiFlags) => {
      const source = await loadSource(place)
      const servers = server.length === 0 ? {} : { servers: server.map((url) => ({ url })) }
      const document = formatData(toOpenApi(source, { info: { title, version }, ...servers }))
      if (out === undefined) return tell(document)
      write(out, `${document}\n`)
      warn(`Written to ${out}.`)
    })
}

function addExplain(program: Command, { tell }: Desk): void {
  program
    .command('explain')
    .description(texts.explain)
    .argument('<request>', 'a request line, in quotes: "GET /v1/employees?sort=name"')
    .argument('<module>', texts.moduleArgument)
    .option('--header <field>', "a header, 'name: value'; repeatable", gather, [])
    .option('--body <text>', 'the body, or @file')
    .option('--json', texts.json)
    .addHelpText('after', texts.afterExplain)
    .action(async (line: string, place: string, options: RequestedOptions & Flags) => {
      const request = requestedOf(line, options)
      const explanation = await explain(request, await loadSource(place))
      tell(
        options.json
          ? formatData(dataOf(request, explanation))
          : formatExplanation(request, explanation),
      )
    })
}

function addCheck(program: Command, { tell, warn, fail }: Desk): void {
  program
    .command('check')
    .description(texts.check)
    .argument('<url>', 'of a collection, or of a server that tells its collections')
    .option('--collection <path>', 'a collection to try; repeatable', gather, [])
    .option(
      '--header <field>',
      "sent with every request: 'authorization: Bearer …'; repeatable",
      gather,
      [],
    )
    .option('--timeout <ms>', 'how long an answer may take', '10000')
    .option('--requests <n>', 'the most requests that are sent', '5000')
    .option('--bytes <n>', 'the most bytes of an answer', '16777216')
    .option('--time <ms>', 'how long the whole check may take', '600000')
    .option('--write', 'create, change and delete items of its own')
    .option('--sample <file>', 'drafts of items to create, as JSON')
    .option('--empty', 'with --write: everything in the collections may be deleted')
    .option('--json', texts.json)
    .addHelpText('after', texts.afterCheck)
    .action(async (address: string, options: CheckOptions & Flags) => {
      const checked = await checkServer(address, options, warn)
      tell(options.json ? formatData(checked) : formatReport(checked))
      if (tallyOf(checked.verdicts).broken > 0 || checked.left.length > 0) fail(1)
    })
}

function gather(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UsageError(
      `${file} cannot be written: ${error instanceof Error ? error.message : error}.`,
    )
  }
}
