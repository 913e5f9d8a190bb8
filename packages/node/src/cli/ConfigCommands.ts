import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { stringify } from "yaml"
import { loadConfiguration } from "../platform/config/Config.ts"
import { flatKeys } from "../platform/config/Keys.ts"
import type { Written } from "../platform/config/Source.ts"
import { toCliFailure } from "./CliFailure.ts"
import { settingCommands } from "./SettingCommands.ts"

const hidden = "(not shown)"

/** The settings as a YAML tree that could be copied into the file, without secrets. */
const asTree = (set: ReadonlyMap<string, Written>, all: boolean): Record<string, unknown> => {
  const tree: Record<string, unknown> = {}
  for (const { key, path } of flatKeys) {
    const written = set.get(path)
    if (written === undefined && !all) continue
    const value = written === undefined ? key.written : written.value
    const names = path.split(".")
    const last = names.pop() ?? path
    let branch = tree
    for (const name of names) branch = (branch[name] ??= {}) as Record<string, unknown>
    branch[last] = key.kind.secret && value !== null && value !== "" ? hidden : value
  }
  return tree
}

const warn = (warnings: ReadonlyArray<string>) =>
  Effect.forEach(warnings, (warning) => Console.error(`warning: ${warning}`), { discard: true })

const check = Command.make("check", {}, () =>
  toCliFailure(
    Effect.gen(function* () {
      const { config, file, set } = yield* loadConfiguration
      yield* warn(config.derived.warnings)
      yield* Console.log(`${file === undefined ? "No file" : file}: ${set.size} settings, all of them good.`)
      yield* Console.log(`The instance is ${config.derived.origin}, its data lies in ${config.derived.dataDir}.`)
    })
  )
).pipe(
  Command.withDescription(
    "Read the configuration and report everything that is wrong with it: each key with its path, the problem of its " +
      "value and the accepted form. Exits with 78 when something is wrong. Unknown keys are warnings."
  ),
  Command.withShortDescription("Report everything that is wrong with the configuration")
)

const print = Command.make(
  "print",
  {
    all: Flag.Boolean("all").pipe(
      Flag.withDescription("Also print the keys that have their default"),
      Flag.withDefault(false)
    ),
    origins: Flag.Boolean("origins").pipe(
      Flag.withDescription("Print where each key was set, instead of YAML"),
      Flag.withDefault(false)
    )
  },
  ({ all, origins }) =>
    toCliFailure(
      Effect.gen(function* () {
        const { config, set } = yield* loadConfiguration
        yield* warn(config.derived.warnings)
        if (!origins) return yield* Console.log(stringify(asTree(set, all)).trimEnd())
        for (const { path } of flatKeys) {
          const origin = set.get(path)?.origin ?? "default"
          if (all || origin !== "default") yield* Console.log(`${path}  (${origin})`)
        }
      })
    )
).pipe(
  Command.withDescription(
    "Print the settings in force, from file and environment together, as YAML. Secrets are not shown."
  ),
  Command.withShortDescription("Print the settings in force"),
  Command.withExamples([
    { command: "kinora config print", description: "What differs from the defaults" },
    { command: "kinora config print --all > kinora.yaml", description: "A complete file to start from" },
    { command: "kinora config print --origins", description: "Which file or variable set each key" }
  ])
)

export const configCommand = Command.make("config").pipe(
  Command.withDescription("Look at the configuration, and change settings at run time"),
  Command.withSubcommands([check, print, ...settingCommands])
)
