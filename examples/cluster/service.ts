import { fileURLToPath } from 'node:url'
import { type Child, start, until } from './child.ts'
import { ask } from './client.ts'
import { database, type Number3, numbers, ports, users } from './places.ts'

/** Starts three processes of the example service, and waits until the balancer asks each. */
export async function startProcesses(folder: string): Promise<readonly Child[]> {
  const processes = numbers.map((number) => startProcess(folder, number))
  const seen = new Set<string>()
  for (const child of processes) {
    await until(child, async () => {
      const { status, process = '' } = await ask('GET', '/v1/companies/count')
      if (status === 200) seen.add(process)
      return seen.has(child.name)
    })
  }
  return processes
}

function startProcess(folder: string, number: Number3): Child {
  const program = fileURLToPath(new URL('../companies/node.ts', import.meta.url))
  const place = `127.0.0.1:${ports.database(number)}/${database}`
  return start({
    name: `process-${number}`,
    folder,
    command: [process.execPath, '--conditions=nounful:source', program],
    env: {
      PORT: String(ports.process(number)),
      DATABASE_URL: `mysql://${users.service}@${place}?connectionLimit=10`,
    },
  })
}
