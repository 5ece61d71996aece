import { createClient } from 'nounful/client'
import { describe, expect, test } from 'vitest'
import { languages, requestIn } from '../../../../src/explorer/browser/dock/languages.ts'
import type { ShownRequest } from '../../../../src/explorer/message.ts'

const address = { origin: 'https://h', base: '/in' }
const json = { 'content-type': 'application/json' }

/** Runs the call of the typed client, and returns the request that it sends. */
async function sentByClient(code: string): Promise<string> {
  let sent = ''
  const [, call = ''] = /\nawait (client.*)$/s.exec(code) ?? []
  const fetch = async (input: unknown) => {
    if (input instanceof Request) sent = `${input.method} ${input.url} ${await input.text()}`.trim()
    return new Response('{}', { status: 500 })
  }
  const client = createClient({ baseUrl: 'https://h/in', fetch })
  await new Function('client', `return ${call}`)(client).catch(() => undefined)
  return sent
}

describe('the typed client', () => {
  // biome-ignore format: a row stays a line
  const rows: readonly ShownRequest[] = [
    { method: 'GET', url: '/in/v1/companies/7/employees?q=a&sort=name,-born&limit=5', headers: { prefer: 'count=exact' } },
    { method: 'GET', url: '/in/v1/employees?born:gte=1980-01-01&born:lt=1990-01-01', headers: {} },
    { method: 'GET', url: '/in/v1/employees?status=new&status=left&limit=2&include=company', headers: {} },
    { method: 'GET', url: '/in/v1/employees/a%20b', headers: {} },
    { method: 'GET', url: '/in/v1/employees/count?status=new', headers: {} },
    { method: 'POST', url: '/in/v1/employees', headers: json, body: '{"name":"Ann"}' },
    { method: 'PATCH', url: '/in/v1/employees/7?dry_run=true', headers: { ...json, 'if-match': '"3"' }, body: '{"name":null}' },
    { method: 'DELETE', url: '/in/v1/employees/7', headers: { 'if-match': '"3"' } },
    { method: 'DELETE', url: '/in/v1/employees', headers: { prefer: 'max-affected=4' } },
    { method: 'DELETE', url: '/in/v1/employees?status=left', headers: { prefer: 'max-affected=4' } },
  ]
  test.each(rows)('sends $method $url', async (request) => {
    const { method, url, body = '' } = request
    const code = requestIn('client', request, address)
    expect(await sentByClient(code)).toBe(`${method} https://h${url} ${body}`.trim())
  })
})

test('each language names the URL and the body', () => {
  const request = { method: 'PUT', url: '/in/v1/notes/1', headers: json, body: '{"text":"x"}' }
  const texts = languages.map((language) => requestIn(language, request, address))
  expect(texts).toMatchInlineSnapshot(`
    [
      "curl -X PUT 'https://h/in/v1/notes/1' \\
      -H 'content-type: application/json' \\
      --data-raw '{"text":"x"}'",
      "const response = await fetch("https://h/in/v1/notes/1", {
      "method": "PUT",
      "headers": {
        "content-type": "application/json"
      },
      "body": "{\\"text\\":\\"x\\"}"
    })
    console.log(response.status, await response.json())",
      "import { createClient } from 'nounful/client'

    const client = createClient<typeof api>({ baseUrl: "https://h/in" })
    await client.v1.notes("1").update({
      "text": "x"
    })",
      "import json
    from urllib.request import Request, urlopen

    request = Request(
        "https://h/in/v1/notes/1",
        method="PUT",
        headers={
          "content-type": "application/json"
        },
        data="{\\"text\\":\\"x\\"}".encode(),
    )
    with urlopen(request) as response:
        print(response.status, json.load(response))",
      "PUT /in/v1/notes/1
    content-type: application/json

    {
      "text": "x"
    }",
    ]
  `)
})
