import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { CustomConfig, SettingOrigin } from "@kinora/domain/wire/CustomConfig"
import { CustomSettingRows, type StoredSettings } from "@kinora/storage/instance/settings/CustomSettingRows"
import { Context, Effect, Equal, Layer, Result } from "effect"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import type { ConfigInvalid } from "../../platform/config/ConfigInvalid.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import type { ConfigTree } from "../../platform/config/Keys.ts"
import { isKey, leafAt, RuntimeConfig } from "../../platform/config/RuntimeConfig.ts"
import { missingFeatureOf } from "../../platform/config/WithoutReader.ts"
import { sendsMail } from "../../platform/mail/SendsMail.ts"
import { customConfigWire, customSettings, wireValue } from "./CustomConfigKeys.ts"
import { readSettings } from "./SettingsBody.ts"
import { brokenRules } from "./SettingRules.ts"

type Refused = Forbidden | InvalidParameters | DatabaseUnavailable

const refuse = (problems: InvalidParameters["invalidParams"]) => new InvalidParameters({ invalidParams: problems })

const ruleProblems = (tree: ConfigTree): InvalidParameters["invalidParams"] =>
  Object.fromEntries(
    Object.entries(brokenRules(tree, sendsMail(tree))).map(([name, msg]) => [
      name,
      { type: "field" as const, msg, param: name, path: name, location: "body" as const }
    ])
  )

/** Settings of this program among those that are stored. */
const usable = (stored: StoredSettings): StoredSettings => new Map([...stored].filter(([path]) => isKey(path)))

/** What administrators change of the configuration while the instance runs, on every node. */
export class CustomSettings extends Context.Service<
  CustomSettings,
  {
    readonly current: Effect.Effect<CustomConfig>
    /** Where the value of each setting comes from. */
    readonly origins: Effect.Effect<ReadonlyArray<SettingOrigin>, DatabaseUnavailable>
    /**
     * Changes the settings that the body names, all or none. Refused with every problem at once: values that cannot be
     * read, settings the environment pins, features that do not exist, combinations that cannot work.
     */
    readonly update: (
      user: CurrentUserShape,
      body: Readonly<Record<string, unknown>>
    ) => Effect.Effect<CustomConfig, Refused>
    /** Back to what file and environment say. */
    readonly reset: (user: CurrentUserShape) => Effect.Effect<CustomConfig, Refused>
    /** Makes the stored settings hold in this process. A setting that cannot be read any more is logged and left out. */
    readonly load: Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/settings/CustomSettings") {
  static readonly layer = Layer.effect(
    CustomSettings,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const runtime = yield* RuntimeConfig
      const rows = yield* CustomSettingRows
      const audit = yield* AuditTrail

      const current = Effect.sync(() => customConfigWire(config))

      const mayEdit = Effect.suspend(() =>
        config.webadmin.configuration.edition.allowed
          ? Effect.void
          : Effect.fail(
              new Forbidden({
                reason: "This instance is configured by its file alone (webadmin.configuration.edition.allowed)"
              })
            )
      )

      /** Stored settings were valid when they were stored. An upgrade may have changed what a key accepts. */
      const applyAll = Effect.fnUntraced(function* (stored: StoredSettings) {
        const values = new Map(usable(stored))
        for (;;) {
          const failed = yield* runtime.apply(values).pipe(
            Effect.as<ConfigInvalid | undefined>(undefined),
            Effect.catch((error) => Effect.succeed<ConfigInvalid | undefined>(error))
          )
          const broken = failed?.problems.filter(({ path }) => values.delete(path)) ?? []
          if (failed !== undefined) yield* Effect.logWarning("A stored setting is left out", failed)
          if (broken.length === 0) return
        }
      })

      /** Stored settings differ from what holds without them, so a change of the file is seen where nobody chose. */
      const differing = (values: StoredSettings, without: ConfigTree, tree: ConfigTree): StoredSettings =>
        new Map([...values].filter(([path]) => !Equal.equals(leafAt(tree, path), leafAt(without, path))))

      /** Records what changes, by name of the setting. */
      const audited = (user: CurrentUserShape, action: string, before: ConfigTree, after: ConfigTree) => {
        const changed = customSettings.filter(({ path }) => !Equal.equals(leafAt(before, path), leafAt(after, path)))
        const values = (tree: ConfigTree) =>
          Object.fromEntries(changed.map(({ name, path }) => [name, wireValue(path, leafAt(tree, path))]))
        return changed.length === 0
          ? Effect.void
          : audit.record(user, {
              domain: "settings",
              action,
              before: values(before),
              after: values(after)
            })
      }

      const update = Effect.fn("CustomSettings.update")(function* (
        user: CurrentUserShape,
        body: Readonly<Record<string, unknown>>
      ) {
        yield* mayEdit
        const { problems, values } = readSettings(body, config, runtime.pinned)
        if (Object.keys(problems).length > 0) return yield* refuse(problems)
        const stored = yield* rows.replace((before) =>
          Effect.gen(function* () {
            const wanted = new Map([...before, ...values])
            const tree = Result.getOrThrow(runtime.preview(usable(wanted)))
            const broken = ruleProblems(tree)
            if (Object.keys(broken).length > 0) return yield* refuse(broken)
            const without = Result.getOrThrow(runtime.preview(new Map()))
            const kept = differing(wanted, without, tree)
            yield* audited(user, "update", config, tree)
            return { values: kept, result: kept }
          })
        )
        yield* applyAll(stored)
        return yield* current
      })

      const reset = Effect.fn("CustomSettings.reset")(function* (user: CurrentUserShape) {
        yield* mayEdit
        const none: StoredSettings = new Map()
        yield* rows.replace(() =>
          Effect.as(audited(user, "reset", config, Result.getOrThrow(runtime.preview(none))), {
            values: none,
            result: undefined
          })
        )
        yield* applyAll(none)
        return yield* current
      })

      const origins = Effect.map(rows.all, (stored): ReadonlyArray<SettingOrigin> =>
        customSettings.map(({ flat, name, path }) => {
          const pinned = runtime.pinned(path) !== undefined
          const below = runtime.originOf(path) === "default" ? "default" : "file"
          return {
            setting: name,
            key: path,
            environmentVariable: flat.env,
            origin: pinned ? "environment" : stored.has(path) ? "database" : below,
            pinned,
            withoutEffect: missingFeatureOf(path)?.feature ?? null,
            description: flat.key.description,
            accepts: flat.key.kind.accepts
          }
        })
      )

      return CustomSettings.of({ current, origins, update, reset, load: Effect.flatMap(rows.all, applyAll) })
    })
  )
}
