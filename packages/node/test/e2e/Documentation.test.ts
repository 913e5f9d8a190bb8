import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCli } from "../cli/RunCli.ts"
import { KinoraProcess, root, rootPassword } from "../support/KinoraProcess.ts"

const documents = ["README.md", ...readdirSync(join(root, "docs")).map((name) => join("docs", name))].filter((name) =>
  name.endsWith(".md")
)

/** The lines of a document that people type. */
const shell = (name: string): ReadonlyArray<string> =>
  [...readFileSync(join(root, name), "utf8").matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => text ?? "")

/** The words of a command of ours in a line: `users create ada --email …`. */
const commandIn = (line: string): ReadonlyArray<string> | undefined =>
  /^(?:scripts\/)?kinora ([^#]+)/.exec(line)?.[1]?.trim().split(/\s+/)

/** Commands whose flags are those of commands below them. */
const groups = new Set(["backup", "storage", "users", "webhooks"])

describe("what the documentation has people type", { timeout: 180_000 }, () => {
  let node: KinoraProcess

  beforeAll(async () => {
    node = await KinoraProcess.create({ KINORA_TRANSCODING_ENABLED: "false" })
    await node.start()
  })
  afterAll(() => node.remove())

  it("publishes the first video, word for word", async () => {
    const text = shell("README.md").find((block) => block.includes("api/v1"))!
    const script = text.replace("http://localhost:9000", node.url).replace("'the password'", `'${rootPassword}'`)
    expect(script).not.toBe(text)
    const { status, stderr, stdout } = spawnSync("sh", ["-eu", "-c", script], {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` }
    })
    expect(status, stderr).toBe(0)
    const id = stdout.trim().split("\n").at(-1)!
    expect(id).toMatch(/^[1-9A-HJ-NP-Za-km-z]{22}$/)
    expect((await node.get(`/w/${id}`)).status).toBe(200)
  })

  it("names commands and flags that there are", async () => {
    const commands = new Map<string, Set<string>>()
    for (const name of documents) {
      for (const line of shell(name).flatMap((block) => block.split("\n"))) {
        const words = commandIn(line)
        if (words === undefined) continue
        // What is no flag and comes after the name of a command is an argument of it.
        const flags = words.filter((word) => word.startsWith("--"))
        const names = words.filter((word) => /^[a-z][a-z-]+$/.test(word)).slice(0, groups.has(words[0]!) ? 2 : 1)
        if (words[0] === "config") names.push(words[1]!)
        const known = commands.get(names.join(" ")) ?? new Set()
        for (const flag of flags) known.add(flag)
        commands.set(names.join(" "), known)
      }
    }
    expect([...commands.keys()]).toEqual(
      expect.arrayContaining(["backup", "restore", "doctor", "users create", "users reset-password", "config print"])
    )
    for (const [command, flags] of commands) {
      const words = [...command.split(" "), "--help"].filter((word) => word !== "")
      // In this process: one for each of them would take a second each.
      const { code, out } = await Effect.runPromise(Effect.provide(runCli(words), NodeServices.layer))
      expect(code, command).toBe(0)
      for (const flag of flags) expect(out, `${command} ${flag}`).toContain(flag)
    }
  })
})
