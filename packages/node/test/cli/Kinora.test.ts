import { execFileSync } from "node:child_process"
import { NodeServices } from "@effect/platform-node"
import { version } from "@kinora/domain/Version"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { CliFailure } from "../../src/cli/CliFailure.ts"
import { ConfigInvalid } from "../../src/platform/config/ConfigInvalid.ts"
import { runCli } from "./RunCli.ts"

it.layer(NodeServices.layer, { excludeTestServices: true })("kinora", (it) => {
  it.effect("tells its version", () =>
    Effect.gen(function* () {
      const { code, out } = yield* runCli(["--version"])
      assert.strictEqual(code, 0)
      assert.include(out, version)
    })
  )

  it.effect.each([
    [],
    ["serve"],
    ["migrate"],
    ["doctor"],
    ["users"],
    ["users", "create"],
    ["users", "reset-password"],
    ["users", "set-role"],
    ["users", "disable-two-factor"],
    ["users", "list"],
    ["config"],
    ["config", "check"],
    ["config", "print"],
    ["config", "get"],
    ["config", "set"],
    ["config", "unset"],
    ["videos"],
    ["videos", "list"],
    ["videos", "prune"],
    ["reports"],
    ["reports", "list"],
    ["reports", "accept"],
    ["reports", "reject"],
    ["block"],
    ["block", "account"],
    ["block", "server"],
    ["block", "video"],
    ["block", "user"],
    ["unblock"],
    ["unblock", "account"],
    ["unblock", "server"],
    ["unblock", "video"],
    ["unblock", "user"],
    ["blocks"],
    ["follow"],
    ["unfollow"],
    ["follows"],
    ["follows", "list"],
    ["follows", "accept"],
    ["follows", "reject"],
    ["jobs"],
    ["jobs", "list"],
    ["jobs", "summary"],
    ["jobs", "pause"],
    ["jobs", "resume"],
    ["runners"],
    ["runners", "list"],
    ["runners", "remove"],
    ["runners", "tokens"],
    ["runners", "create-token"],
    ["webhooks"],
    ["webhooks", "list"],
    ["webhooks", "add"],
    ["webhooks", "enable"],
    ["webhooks", "disable"],
    ["webhooks", "remove"],
    ["webhooks", "new-secret"],
    ["webhooks", "ping"],
    ["webhooks", "deliveries"],
    ["webhooks", "replay"],
    ["storage"],
    ["storage", "check"],
    ["storage", "usage"],
    ["completions"],
    ["man"]
  ])("has help for %s", (command) =>
    Effect.gen(function* () {
      const { code, out } = yield* runCli([...command, "--help"])
      assert.strictEqual(code, 0)
      const [, description] = /DESCRIPTION\n +(.+)/.exec(out) ?? []
      assert.isAbove(description?.length ?? 0, 20)
      assert.include(out, ["kinora", ...command].join(" "))
    })
  )

  it.effect("suggests what an unknown command may have meant, and fails", () =>
    Effect.gen(function* () {
      const { code, err, out } = yield* runCli(["sreve"])
      assert.strictEqual(code, 1)
      assert.include(err + out, "serve")
    })
  )

  it.effect.each(["bash", "zsh", "fish"])("prints completions for %s", (shell) =>
    Effect.gen(function* () {
      const { code, out } = yield* runCli(["completions", shell])
      assert.strictEqual(code, 0)
      for (const word of ["doctor", "reset-password", "kinora"]) assert.include(out, word)
    })
  )

  it.effect.each([
    [["kinora", "conf"], ["config"]],
    [
      ["kinora", "config", ""],
      ["check", "print", "get", "set", "unset"]
    ],
    [
      ["kinora", "block", ""],
      ["account", "server", "video", "user"]
    ],
    [
      ["kinora", "reports", "list", "--"],
      ["--state", "--json", "--count"]
    ]
  ] as const)("completes %j in bash", ([words, expected]) =>
    Effect.gen(function* () {
      const { out } = yield* runCli(["completions", "bash"])
      const script = `${out}
        COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})
        COMP_CWORD=${words.length - 1}
        COMP_LINE="${words.join(" ")}"
        COMP_POINT=\${#COMP_LINE}
        $(complete -p kinora | sed 's/.*-F \\([^ ]*\\).*/\\1/') kinora "\${COMP_WORDS[COMP_CWORD]}"
        printf '%s\\n' "\${COMPREPLY[@]}"`
      const found = execFileSync("bash", ["-c", script], { encoding: "utf8" }).split("\n")
      for (const word of expected) assert.include(found, word)
    })
  )

  it.effect("prints a manual page of every command", () =>
    Effect.gen(function* () {
      const { code, out } = yield* runCli(["man"])
      assert.strictEqual(code, 0)
      assert.match(out, /^\.TH KINORA 1 /)
      for (const section of ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXIT STATUS", "ENVIRONMENT"]) {
        assert.include(out, `.SH ${section}\n`)
      }
      const lines = out.split("\n")
      for (const command of ["serve", "users create", "config set", "videos prune", "runners create\\-token", "man"]) {
        assert.isTrue(
          lines.some((line) => line.startsWith(`.SS \\fBkinora ${command}\\fR`)),
          command
        )
      }
      // Nothing that people wrote begins a line like a request of roff.
      const requests = new Set([".TH", ".SH", ".SS", ".TP", ".PP", ".nf", ".fi", ".RS", ".RE"])
      for (const line of lines) if (/^[.']/.test(line)) assert.isTrue(requests.has(line.split(" ")[0]!), line)
      assert.notMatch(out, /[^\\]--/)
      assert.match(out, /^[\n -~]*$/)
    })
  )

  it.effect("ends with the code of what serve failed with", () =>
    Effect.gen(function* () {
      const problem = { path: "listen.port", origin: "here", problem: "it is bad", accepts: "a good one" }
      const wrong = yield* runCli(["serve"], { serve: Effect.fail(new ConfigInvalid({ problems: [problem] })) })
      assert.strictEqual(wrong.code, 78)
      for (const part of ["listen.port", "here", "it is bad", "a good one"]) assert.include(wrong.err, part)
      assert.notMatch(wrong.err, /\n\s+at /)
      const other = yield* runCli(["serve"], {
        serve: Effect.fail(new CliFailure({ message: "no luck", exitCode: 3 }))
      })
      assert.strictEqual(other.code, 3)
      assert.include(other.err, "no luck")
    })
  )

  it.effect("checks a configuration file", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const file = yield* fs.makeTempFileScoped({ suffix: ".yaml" })
      yield* fs.writeFileString(file, "listen: { port: 0 }\nlog: { levle: info }\n")
      const bad = yield* runCli(["config", "check", "--config", file])
      assert.strictEqual(bad.code, 78)
      assert.include(bad.err, `listen.port  (${file}:1)`)
      yield* fs.writeFileString(file, "listen: { port: 1 }\nlog: { levle: info }\n")
      const good = yield* runCli(["config", "check", "--config", file])
      assert.strictEqual(good.code, 0)
      assert.include(good.out, `${file}: 1 settings`)
      assert.include(good.err, "did you mean log.level?")
    })
  )

  it.effect("prints the settings in force, without secrets", () =>
    Effect.gen(function* () {
      const env = { KINORA_RATES_LIMIT_API_MAX: "70", DATABASE_URL: "postgres://a:hunter2@b/c" }
      const set = yield* runCli(["config", "print"], { env })
      assert.strictEqual(set.code, 0)
      assert.match(set.out, /rates_limit:\n {2}api:\n {4}max: "70"/)
      assert.notInclude(set.out, "hunter2")
      assert.notInclude(set.out, "webserver")
      const all = yield* runCli(["config", "print", "--all"], { env })
      assert.include(all.out, "webserver:")
      const origins = yield* runCli(["config", "print", "--origins"], { env })
      assert.include(origins.out, "rates_limit.api.max  (environment, KINORA_RATES_LIMIT_API_MAX)")
    })
  )

  it.effect("prints a complete file that can be read back", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const file = yield* fs.makeTempFileScoped({ suffix: ".yaml" })
      const { out } = yield* runCli(["config", "print", "--all"])
      yield* fs.writeFileString(file, out)
      const { code, err } = yield* runCli(["config", "check", "--config", file])
      assert.strictEqual(code, 0, err)
      assert.strictEqual(err, "")
    })
  )
})
