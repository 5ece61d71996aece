import { hostile } from './odd.mjs'
import { holds, same } from './open.mjs'

const isUnbroken = (page) => page.evaluate(() => globalThis.broken === undefined)

async function inert(page, { things }) {
  for (const path of [
    '/v1/texts',
    ...hostile.map((_, place) => `/v1/texts/h${place}`),
    `/v1/texts/${encodeURIComponent(`" onclick='x' <b>&/?#%é😀`)}`,
    `/v1/texts?q=${encodeURIComponent('"><script>globalThis.broken=1</script>')}`,
    `/v1/${encodeURIComponent('<script>globalThis.broken=1</script>')}`,
    `/v1/texts?${encodeURIComponent('"><script>globalThis.broken=1</script>')}=1`,
  ]) {
    await page.goto(things + path)
    holds(await isUnbroken(page), `nothing of ${path} runs`)
    const links = await page
      .locator('a')
      .evaluateAll((all) =>
        all.map((link) => link.href).filter((href) => !href.startsWith(location.origin)),
      )
    same(links, [], `links elsewhere at ${path}`)
    same(await page.locator('main img, main script, main iframe, main style').count(), 0, path)
  }
  await page.goto(`${things}/v1/texts/h6`)
  same(await page.locator('dd bdi').nth(1).innerText(), hostile[6], 'the text as it is')
}

async function long(page, { things }) {
  await page.goto(`${things}/v1/texts/h9`)
  const summary = page.locator('dd summary').first()
  holds((await summary.innerText()).includes('10,000 characters'), 'the length is told')
  await summary.click()
  same((await page.locator('dd .whole').first().innerText()).length, 10_000, 'the whole')
}

async function policy(page, { things }) {
  const answer = await page.goto(`${things}/v1/things`)
  const headers = answer.headers()
  holds(!/unsafe|\*/.test(headers['content-security-policy']), 'the policy is strict')
  same([headers.vary, headers['x-content-type-options']], ['Accept', 'nosniff'])
  const broken = await page.evaluate(async () => {
    const script = document.createElement('script')
    script.textContent = 'globalThis.broken = 1'
    document.body.append(script)
    const isRefused = await fetch('https://example.org').then(
      () => false,
      () => true,
    )
    return [globalThis.broken ?? 0, isRefused]
  })
  same(broken, [0, true], 'the policy holds')
  // The test caused these.
  page.faults.length = 0
}

async function writeHostile(page, { things }) {
  for (const text of hostile.slice(0, 5)) {
    await page.goto(`${things}/v1/texts`)
    const form = page.locator('#action-create')
    await page.getByRole('link', { name: 'New' }).click()
    await form.getByLabel('text', { exact: true }).fill(text)
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByRole('status').filter({ hasText: '201' }).waitFor()
    holds(await isUnbroken(page), `nothing of ${text} runs`)
    const url = await form.getByRole('status').getByRole('link').getAttribute('href')
    same((await (await page.request.get(things + url)).json()).text, text)
    await page.request.delete(things + url)
  }
}

export const endure = [
  ['hostile values are inert', inert],
  ['long values unfold', long],
  ['the policy is strict and holds', policy],
  ['hostile values are written as they are', writeHostile],
]
