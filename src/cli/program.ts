import { Command } from 'commander'
import { toOpenApi } from '../openapi.ts'
import { type CheckOptions, checkServer } from '../trial/check/command.ts'
import { formatColumns, formatData } from '../trial/check/print.ts'
import { formatReport, tallyOf } from '../trial/check/report.ts'
import { examineStorage, formatCheckups } from './doctor.ts'
import { explain } from './explain/explain.ts'
import { explanationData, formatExplanation } from './explain/format.ts'
import { foundModule, moduleOr } from './find.ts'
import { addGate } from './gate/commands.ts'
import type { InitFlags } from './init.ts'
import { append, type CommandIo, jsonOption, moduleArgument, writeOutput } from './io.ts'
import { loadSource } from './load.ts'
import { withProgress } from './progress.ts'
import { parseRequestLine, type RequestOptions } from './request-line.ts'
import { formatRouteBlocks } from './route-blocks.ts'
import { adviceFor, formatRoutes, homePathsOf, overdueIn, routesOf } from './routes.ts'
import type { ServeFlags } from './serve.ts'
import { helpTexts } from './texts.ts'

interface OpenApiFlags {
  readonly out?: string
  readonly title: string
  readonly version: string
  readonly apiVersion?: string
  readonly server: readonly string[]
}

interface RoutesFlags extends Flags {
  readonly wide?: boolean
}

interface CheckFlags extends Flags {
  readonly all?: boolean
}

interface Flags {
  readonly json?: boolean
}

/** Runs a command line: without arguments it prints a first screen. */
export async function runProgram(args: readonly string[], io: CommandIo): Promise<void> {
  const program = createProgram(io)
  if (args.length === 0) return io.print(firstScreen(program))
  await program.parseAsync(args, { from: 'user' })
}

function firstScreen(program: Command): string {
  const rows = program.commands.map((command) => [`  ${command.name()}`, command.summary()])
  return [
    `nounful ${program.version()}: a conventional JSON API of the resources that you declare.`,
    '',
    formatColumns(rows),
    '',
    nextStep(),
    'npx nounful COMMAND --help shows the options of a command, with examples.',
  ].join('\n')
}

function nextStep(): string {
  const module = foundModule()
  return module === undefined
    ? `Next: declare your resources in registry.ts, as in ${guide}`
    : `Next: npx nounful routes lists the operations of ${module}.`
}

const guide = 'node_modules/nounful/docs/guide.md'

/** Creates the command line with its commands and their help. */
export function createProgram(io: CommandIo): Command {
  const program = new Command('nounful')
    .description(helpTexts.nounful.description)
    .version(io.version)
    .addHelpText('after', helpTexts.nounful.details)
    .showHelpAfterError('(nounful --help lists the commands)')
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({ subcommandTerm: (command) => `${command.name()} ${command.usage()}` })
    .configureOutput({ writeOut: (text) => io.print(text.replace(/\n$/, '')) })
  const add = (name: Exclude<keyof typeof helpTexts, 'nounful'>) =>
    program
      .command(name)
      .summary(helpTexts[name].summary)
      .description(helpTexts[name].description)
      .addHelpText('after', helpTexts[name].details)
  addRoutes(add('routes'), io)
  addOpenApi(add('openapi'), io)
  addExplain(add('explain'), io)
  addCheck(add('check'), io)
  addDoctor(add('doctor'), io)
  addDdl(add('ddl'), io)
  addServe(add('serve'), io)
  addInit(add('init'), io)
  addGate({ snapshot: add('snapshot'), diff: add('diff'), changes: add('changes') }, io)
  return program
}

function addRoutes(command: Command, { print, warn }: CommandIo): void {
  command
    .argument('[module]', moduleArgument)
    .option('--json', jsonOption)
    .option('--wide', 'print one table, wider than most terminals')
    .action(async (module: string | undefined, { json, wide }: RoutesFlags) => {
      const source = await loadSource(moduleOr(module))
      const routes = routesOf(source)
      const format = wide ? formatRoutes : formatRouteBlocks
      print(json ? formatData(routes) : format(routes, homePathsOf(source)))
      for (const { message } of adviceFor(source)) warn(message)
      for (const message of overdueIn(source, new Date())) warn(message)
    })
}

function addOpenApi(command: Command, { print, warn }: CommandIo): void {
  command
    .argument('[module]', moduleArgument)
    .option('--out <file>', 'write to a file instead of the standard output')
    .option('--title <text>', 'the title of the service', 'API')
    .option('--version <text>', 'the version of the document', '1.0.0')
    .option('--api-version <version>', 'describe one version of the API alone: v1')
    .option('--server <url>', 'the URL of the service; repeatable', append, [])
    .action(async (module: string | undefined, flags: OpenApiFlags) => {
      const { out, apiVersion, server, ...info } = flags
      const source = await loadSource(moduleOr(module))
      const servers = server.length === 0 ? {} : { servers: server.map((url) => ({ url })) }
      const alone = apiVersion === undefined ? {} : { version: apiVersion }
      const document = formatData(toOpenApi(source, { info, ...servers, ...alone }))
      if (out === undefined) return print(document)
      writeOutput(out, `${document}\n`)
      warn(`Written to ${out}.`)
    })
}

function addExplain(command: Command, { print }: CommandIo): void {
  command
    .argument('<request>', 'a request line, in quotes: "GET /v1/employees?sort=name"')
    .argument('[module]', moduleArgument)
    .option('--header <field>', "a header, 'name: value'; repeatable", append, [])
    .option('--body <text>', 'the body, or @file')
    .option('--json', jsonOption)
    .action(async (line: string, module: string | undefined, options: RequestOptions & Flags) => {
      const request = parseRequestLine(line, options)
      const explanation = await explain(request, await loadSource(moduleOr(module)))
      print(
        options.json
          ? formatData(explanationData(request, explanation))
          : formatExplanation(request, explanation),
      )
    })
}

function addCheck(command: Command, io: CommandIo): void {
  const { print, warn, setExitCode } = io
  const header = "sent with every request: 'authorization: Bearer …'; repeatable"
  command
    .argument('<url>', 'the URL of a collection, or of a server that lists its collections')
    .option('--collection <path>', 'a collection to check; repeatable', append, [])
    .option('--header <field>', header, append, [])
    .option('--timeout <ms>', 'the longest time for one response', '10000')
    .option('--requests <n>', 'the most requests; default 10000, or 2500 a collection')
    .option('--bytes <n>', 'the most bytes of a response', '16777216')
    .option('--time <ms>', 'the longest time for the whole check', '600000')
    .option('--write', 'create items, and change and delete only these')
    .option(
      '--as <field>',
      "with --write: a caller's header; twice, to prove isolation",
      append,
      [],
    )
    .option('--as-everything <field>', 'with --as: the header of a caller who sees everything')
    .option('--sample <file>', 'drafts of items to create, as JSON')
    .option('--empty', 'with --write: allow the check to delete every item of the collections')
    .option('--all', 'list every rule, not one row for each group of rules')
    .option('--json', jsonOption)
    .action(async (address: string, options: CheckOptions & CheckFlags) => {
      const report = await withProgress(io, (onProgress) =>
        checkServer(address, { ...options, ...onProgress }, warn),
      )
      const detail = options.all ? 'all' : 'groups'
      print(options.json ? formatData(report) : formatReport(report, detail))
      if (report.unfinished.length > 0) setExitCode(2)
      if (tallyOf(report.verdicts).broken > 0 || report.left.length > 0) setExitCode(1)
    })
}

function addServe(command: Command, io: CommandIo): void {
  command
    .argument('[file]', 'a JSON file, or a module with a registry. Default: db.json')
    .option('-p, --port <n>', 'the port; 0 for any free one', '3000')
    .option('-H, --host <name>', 'the address to listen on', '127.0.0.1')
    .option('--read-only', 'refuse every write')
    .option('-d, --delay <ms>', 'milliseconds before each response', '0')
    .option('--fail <rate>', 'the part of requests that fail with 503: 0.1', '0')
    .option('--strict', 'hold new items to the fields and types of the file')
    .option('--ids <kind>', 'the ids of collections that have none to go by: uuid or number')
    .option('-i, --id <field>', 'the member of the file that holds the id', 'id')
    .option('--origin <origin>', "a website that may use the API; '*' for all", append, [])
    .option('--json-server', 'take the parameters of json-server, of 0.17 and of 1')
    .option('-w, --watch', 'read the file again when it changes, as it does by itself', true)
    .option('--no-watch', 'do not read the file again when it changes')
    .option('--demo', 'serve a small world from a temporary file')
    .action(async (file: string | undefined, flags: ServeFlags) => {
      const { serveUntilSignal } = await import('./serve.ts')
      await serveUntilSignal(file, flags, io)
    })
}

function addDdl(command: Command, { print }: CommandIo): void {
  command
    .argument('[module]', moduleArgument)
    .requiredOption('--dialect <name>', 'sqlite, postgres, mysql or mariadb')
    .action(async (module: string | undefined, { dialect }: { readonly dialect: string }) => {
      const { declareTables } = await import('./ddl.ts')
      const statements = await declareTables(await loadSource(moduleOr(module)), dialect)
      print(statements.join('\n'))
    })
}

function addInit(command: Command, io: CommandIo): void {
  command
    .argument('[folder]', 'a folder that is new, or empty', 'my-api')
    .option('--from <source>', 'a JSON file, a SQLite file, or postgres:// or mysql://')
    .option('--id <field>', 'the member of the file that holds the id', 'id')
    .option('--auth <kind>', 'callers with tokens: jwt')
    .option('--tenants', 'items belong to tenants')
    .option('--database <name>', 'sqlite; postgres takes either, by DATABASE_URL', 'sqlite')
    .action(async (folder: string, flags: InitFlags) => {
      const { initProject } = await import('./init.ts')
      await initProject(folder, flags, io)
    })
}

function addDoctor(command: Command, { print, setExitCode }: CommandIo): void {
  command
    .argument('[module]', moduleArgument)
    .option('--json', jsonOption)
    .action(async (module: string | undefined, { json }: Flags) => {
      const checkups = await examineStorage(await loadSource(moduleOr(module)))
      print(json ? formatData(checkups) : formatCheckups(checkups))
      if (checkups.some(({ state }) => state === 'mismatches')) setExitCode(1)
    })
}
