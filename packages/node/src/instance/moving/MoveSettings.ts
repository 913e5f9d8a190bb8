import { CustomSettingRows } from "@kinora/storage/instance/settings/CustomSettingRows"
import { Data, Effect, Equal, Result } from "effect"
import { readFile as readBytes } from "node:fs/promises"
import { readFile } from "../../platform/config/FileSource.ts"
import { leafAt, RuntimeConfig } from "../../platform/config/RuntimeConfig.ts"
import { missingFeatureOf } from "../../platform/config/WithoutReader.ts"
import { sendsMail } from "../../platform/mail/SendsMail.ts"
import { brokenRules } from "../settings/SettingRules.ts"
import { customSettings } from "../settings/CustomConfigKeys.ts"
import type { SettingsReport } from "./MovingReport.ts"

/** A configuration file of the old instance cannot be read. */
export class OldConfigUnreadable extends Data.TaggedError("OldConfigUnreadable")<{ readonly message: string }> {}

const changeable = new Set(customSettings.map(({ path }) => path))

/**
 * What the configuration files of the old instance set, later ones above earlier ones: settings that administrators change here while
 * the instance runs, as a file would have them; and the keys that stay behind, such as those of its database.
 */
export const readOldSettings = Effect.fn("MoveSettings.read")(function* (files: ReadonlyArray<string>) {
  const { preview } = yield* RuntimeConfig
  const values = new Map<string, unknown>()
  const leftBehind = new Set<string>()
  for (const file of files) {
    const content = yield* Effect.tryPromise({
      try: () => readBytes(file, "utf8"),
      catch: (cause) =>
        new OldConfigUnreadable({ message: `The configuration ${file} cannot be read: ${String(cause)}` })
    })
    const source = readFile(file, content)
    for (const { problem } of source.problems) {
      return yield* new OldConfigUnreadable({ message: `The configuration ${file} cannot be read: ${problem}` })
    }
    for (const [path, { value }] of source.values) {
      if (changeable.has(path) && missingFeatureOf(path) === undefined) values.set(path, value)
      else leftBehind.add(path)
    }
    for (const warning of source.warnings) leftBehind.add(/key (\S+)/.exec(warning)?.[1] ?? warning)
  }
  // What this version does not take stays behind, one key after the other.
  for (;;) {
    const tree = preview(values)
    if (Result.isSuccess(tree)) {
      const refused = Object.keys(brokenRules(tree.success, sendsMail(tree.success))).flatMap((name) =>
        customSettings.filter((setting) => setting.name === name && values.delete(setting.path)).map(({ path }) => path)
      )
      for (const path of refused) leftBehind.add(path)
      if (refused.length > 0) continue
      const without = Result.getOrThrow(preview(new Map()))
      const differing = [...values].filter(([path]) => !Equal.equals(leafAt(tree.success, path), leafAt(without, path)))
      return { values: new Map(differing), leftBehind: [...leftBehind].sort() }
    }
    const broken = tree.failure.problems.filter(({ path }) => values.delete(path))
    for (const { path } of broken) leftBehind.add(path)
    if (broken.length === 0) {
      return yield* new OldConfigUnreadable({ message: tree.failure.message })
    }
  }
})

/** Stores settings as administrators would have changed them. */
export const moveSettings = Effect.fn("MoveSettings.move")(function* (files: ReadonlyArray<string>) {
  const rows = yield* CustomSettingRows
  const { leftBehind, values } = yield* readOldSettings(files)
  yield* rows.replace((stored) => Effect.succeed({ values: new Map([...stored, ...values]), result: undefined }))
  const report: SettingsReport = { carried: [...values.keys()].sort(), leftBehind }
  return report
})
