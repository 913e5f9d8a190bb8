import { operator } from "@kinora/domain/users/Operator"
import type { SettingOrigin } from "@kinora/domain/wire/CustomConfig"
import { Console, Effect, Option, Result } from "effect"
import { Argument, Command } from "effect/cli"
import { type CustomSetting, customSettings, wireValue } from "../instance/settings/CustomConfigKeys.ts"
import { CustomSettings } from "../instance/settings/CustomSettings.ts"
import { KinoraConfig } from "../platform/config/Config.ts"
import { leafAt, RuntimeConfig } from "../platform/config/RuntimeConfig.ts"
import { CliFailure, toCliFailure } from "./CliFailure.ts"
import { operatorLayer } from "./OperatorLayer.ts"
import { json, printDone, printJson, printList } from "./Output.ts"

const key = Argument.String("key").pipe(Argument.withDescription("Path of a setting, such as signup.enabled"))

/** The setting with this path, or with the name that the REST API has for it. */
const settingNamed = Effect.fnUntraced(function* (text: string) {
  const setting = customSettings.find(({ name, path }) => text === path || text === name)
  if (setting !== undefined) return setting
  return yield* new CliFailure({
    message: `${text} is no setting that can be changed while the instance runs. \`kinora config get\` lists those that can; set others in the file or the environment.`,
    exitCode: 1
  })
})

/** A body of `PUT /config/custom` that names one setting. */
const bodyOf = ({ name }: CustomSetting, value: unknown): Readonly<Record<string, unknown>> =>
  name.split(".").reduceRight<unknown>((inner, part) => ({ [part]: inner }), value) as Record<string, unknown>

const shown = (value: unknown): string =>
  typeof value === "string" ? value : Array.isArray(value) ? value.join(", ") : String(value)

interface Setting extends Pick<SettingOrigin, "key" | "origin" | "pinned" | "environmentVariable" | "accepts"> {
  readonly value: unknown
}

/** Settings with their values in force. */
const inForce = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const origins = yield* (yield* CustomSettings).origins
  return origins.map(({ accepts, environmentVariable, key: path, origin, pinned }): Setting => ({
    key: path,
    value: wireValue(path, leafAt(config, path)),
    origin,
    pinned,
    environmentVariable,
    accepts
  }))
})

const get = Command.make("get", { key: key.pipe(Argument.optional), json }, (input) =>
  Effect.gen(function* () {
    const all = yield* inForce
    if (Option.isNone(input.key)) {
      return yield* printList(
        input.json,
        { total: all.length, data: all },
        { key: (setting) => setting.key, value: ({ value }) => shown(value), origin: ({ origin }) => origin }
      )
    }
    const { path } = yield* settingNamed(input.key.value)
    const found = all.find((setting) => setting.key === path)
    return yield* input.json ? printJson(found) : Console.log(shown(found?.value))
  }).pipe(Effect.provide(operatorLayer), toCliFailure)
).pipe(
  Command.withDescription(
    "Print the value in force of a setting that can be changed while the instance runs, or of all of them: from the " +
      "settings of administrators, file and environment together."
  ),
  Command.withShortDescription("Print a setting, or all that can be changed at run time")
)

/** Changes one setting, and says what holds from now on. */
const change = Effect.fnUntraced(function* (isJson: boolean, setting: CustomSetting, value: unknown) {
  const config = yield* KinoraConfig
  const { path } = setting
  const before = wireValue(path, leafAt(config, path))
  yield* (yield* CustomSettings).update(operator, bodyOf(setting, value))
  const after = wireValue(path, leafAt(config, path))
  yield* printDone(
    isJson,
    { key: path, before, after },
    shown(before) === shown(after)
      ? `${path} is ${shown(after)} as before.`
      : `${path} is ${shown(after)} now; it was ${shown(before)}.`
  )
})

const set = Command.make(
  "set",
  {
    key,
    value: Argument.String("value").pipe(
      Argument.withDescription("The new value, written as in the environment: true, 12, 2 hours, a list as a, b")
    ),
    json
  },
  (input) =>
    Effect.gen(function* () {
      const setting = yield* settingNamed(input.key)
      yield* change(input.json, setting, input.value)
    }).pipe(Effect.provide(operatorLayer), toCliFailure)
).pipe(
  Command.withDescription(
    "Change a setting. It holds on every running node within a second, above the file and below the environment. A " +
      "setting that the environment pins is refused."
  ),
  Command.withShortDescription("Change a setting, also while the instance runs"),
  Command.withExamples([
    { command: "kinora config set signup.enabled true", description: "Let people register" },
    { command: 'kinora config set instance.name "Our videos"', description: "Rename the instance" }
  ])
)

const unset = Command.make("unset", { key, json }, (input) =>
  Effect.gen(function* () {
    const setting = yield* settingNamed(input.key)
    const without = Result.getOrThrow((yield* RuntimeConfig).preview(new Map()))
    yield* change(input.json, setting, wireValue(setting.path, leafAt(without, setting.path)))
  }).pipe(Effect.provide(operatorLayer), toCliFailure)
).pipe(Command.withDescription("Give a setting back the value of the file, or its default."))

export const settingCommands = [get, set, unset] as const
