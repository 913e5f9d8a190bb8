import { assert, describe, it } from "vitest"
import { brokenReferences } from "../DocumentLinks.ts"
import { anchorsOf } from "../Markdown.ts"

const tree = (files: Readonly<Record<string, string>>) => ({
  exists: (path: string) =>
    Object.keys(files).some((file) => file === path || file.startsWith(`${path.replace(/\/$/, "")}/`)),
  read: (path: string) => files[path] ?? ""
})

const files = {
  "README.md": "",
  "docs/architecture.md": "# Architecture\n\n## Handlers, services, repositories\n",
  "docs/decisions/inbox.md": "",
  "packages/node/src/main.ts": "",
  "scripts/test": ""
}

const broken = (text: string, path = "docs/decisions/inbox.md") => brokenReferences(path, text, tree(files))

describe("anchors of headings", () => {
  it("are what hosts of repositories make of them", () => {
    const text = [
      "# A `code`, and more!",
      "## [Link](x.md) of 2",
      "## Twice",
      "## Twice",
      "```sh",
      "# no heading",
      "```"
    ].join("\n")
    assert.deepStrictEqual([...anchorsOf(text)], ["a-code-and-more", "link-of-2", "twice", "twice-1"])
  })
})

describe("references of documents", () => {
  it("lead to files and headings that exist", () => {
    const text = [
      "[a](../architecture.md), [b](../architecture.md#handlers-services-repositories), [c](#own), [d](../../README.md),",
      "[e](../), [f](https://example.org/none.md#x), [g](mailto:a@example.org), [two",
      "lines](../architecture.md)",
      "# Own",
      "`packages/node/src/main.ts`, `packages/node/`, `scripts/test --all`, `packages/*/test`, `packages/node/src/<domain>`,",
      "`node/src/none.ts`, `[no](link.md)`",
      "```",
      "[no](link.md) `packages/none`",
      "```"
    ].join("\n")
    assert.deepStrictEqual(broken(text), [])
  })

  it("are reported with their line when they lead nowhere", () => {
    const text = [
      "[a](architecture.md)",
      "[b](../architecture.md#handlers) and [c](#none)",
      "[d](../../../README.md)",
      "`packages/node/src/none.ts`, `docs/none.md#x`, `scripts/none --all`"
    ].join("\n")
    assert.deepStrictEqual(broken(text), [
      "docs/decisions/inbox.md:1: no such file: architecture.md",
      "docs/decisions/inbox.md:2: no such heading: ../architecture.md#handlers",
      "docs/decisions/inbox.md:2: no such heading: #none",
      "docs/decisions/inbox.md:3: no such file: ../../../README.md",
      "docs/decisions/inbox.md:4: no such file: packages/node/src/none.ts",
      "docs/decisions/inbox.md:4: no such file: docs/none.md",
      "docs/decisions/inbox.md:4: no such file: scripts/none"
    ])
  })
})
