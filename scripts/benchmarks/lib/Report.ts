import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./Instance.ts"

/** One measured figure: what, how much, what was asked, and what ran beside it for comparison. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The floor (`at least`) or ceiling (`at most`) of the goal. */
  readonly goal?: { readonly kind: "at least" | "at most"; readonly value: number }
  readonly beside?: { readonly name: string; readonly value: number }
  readonly note?: string
}

const round = (n: number) => (Math.abs(n) >= 100 ? n.toFixed(0) : Math.abs(n) >= 10 ? n.toFixed(1) : n.toFixed(3))

const met = (figure: Figure) =>
  figure.goal === undefined
    ? ""
    : (figure.goal.kind === "at least" ? figure.value >= figure.goal.value : figure.value <= figure.goal.value)
      ? "yes"
      : "NO"

/** Writes `.cache/bench/<name>.json` and prints a Markdown table. */
export const write = (name: string, figures: ReadonlyArray<Figure>, facts: Record<string, string>) => {
  const dir = join(root, ".cache/bench")
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, `${name}.json`), JSON.stringify({ facts, figures }, null, 2))
  const rows = figures.map((f) =>
    [
      f.name,
      `${round(f.value)} ${f.unit}`,
      f.goal ? `${f.goal.kind} ${f.goal.value}` : "",
      met(f),
      f.beside ? `${f.beside.name}: ${round(f.beside.value)}` : "",
      f.beside ? `${round(f.value / f.beside.value)}` : "",
      f.note ?? ""
    ].join(" | ")
  )
  const facts_ = Object.entries(facts).map(([k, v]) => `${k}: ${v}`)
  console.log(
    [
      "",
      ...facts_,
      "",
      "| figure | measured | goal | met | beside | ratio | note |",
      "|---|---|---|---|---|---|---|",
      ...rows.map((r) => `| ${r} |`),
      ""
    ].join("\n")
  )
}
