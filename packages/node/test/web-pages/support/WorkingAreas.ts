import { readFileSync } from "node:fs"
import type { BrowserContext, Page } from "playwright-core"

const axe = readFileSync(new URL("../../../../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8")

interface Violation {
  readonly id: string
  readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary?: string }>
}

/** Tokens as `POST /users/token` answers with them. */
export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

/** Makes a browser one in which somebody is logged in, as long as they do not log out. */
export const logInAs = (context: BrowserContext, tokens: Tokens): Promise<unknown> => {
  const session = JSON.stringify({ access: tokens.access_token, refresh: tokens.refresh_token })
  return context.addInitScript(`{
    if (sessionStorage.getItem("test.login") === null) {
      sessionStorage.setItem("test.login", "done")
      localStorage.setItem("kinora.session", ${JSON.stringify(session)})
    }
  }`)
}

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

/** What axe finds on the page as it is, and how far it scrolls sideways, as lines; none when all is well. */
export const findings = async (page: Page, where: string): Promise<ReadonlyArray<string>> => {
  if (!(await page.evaluate<boolean>(`"axe" in window`))) await page.evaluate(axe)
  const violations = await page.evaluate<ReadonlyArray<Violation>>(
    `window.axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ["violations"] }).then((it) => it.violations)`
  )
  const sideways = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth"
  )
  return [
    ...violations.flatMap(({ id, nodes }) =>
      nodes.map((it) => `${where}: ${id}: ${it.html.slice(0, 200)}: ${it.failureSummary ?? ""}`)
    ),
    ...(sideways > 0 ? [`${where}: scrolls sideways by ${sideways} px`] : [])
  ]
}

const quickly = [
  ["light", 320],
  ["dark", 1280]
] as const
const everywhere = [...quickly, ["dark", 320], ["light", 1280]] as const

/** axe is half the work of a page's test: `scripts/test --all` alone tries both schemes at both widths. */
const looks = process.env["TEST_EVERYTHING"] === undefined ? quickly : everywhere

/** The same on a phone and on a desk, light and dark. Nothing moves meanwhile: a colour on its way has a wrong contrast. */
export const accessible = async (page: Page): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const [colorScheme, width] of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    await page.setViewportSize({ width, height: 800 })
    // What is scrolled below the header would be found hidden by it.
    await page.evaluate("scrollTo(0, 0)")
    // Colours of the scheme before would be found wrong on those of this one.
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    found.push(...(await findings(page, `${colorScheme}, ${width} px`)))
  }
  // The last look is a desk's, whichever were tried.
  await page.setViewportSize({ width: 1280, height: 800 })
  return found
}

/** Bytes of the scripts that a page has loaded, as they came over the wire. */
export const scriptBytes = (page: Page): Promise<number> =>
  page.evaluate<number>(
    `performance.getEntriesByType("resource").filter((it) => it.name.endsWith(".js")).reduce((sum, it) => sum + it.encodedBodySize, 0)`
  )
