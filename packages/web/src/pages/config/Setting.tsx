import { text } from "../../i18n/Text.ts"
import { Switch } from "../../ui/Choices.tsx"
import { TextArea, TextField } from "../../ui/Field.tsx"
import { Badge } from "../../ui/States.tsx"
import { type Origin, textOf, valueOf } from "../admin/Settings.ts"

const t = text("config")

/** One setting: what it does, what it is now, where that comes from, and what is wrong with what was typed. */
export const Setting = ({
  before,
  error,
  now,
  onChange,
  origin
}: {
  readonly origin: Origin
  readonly before: unknown
  /** What was typed, else the same. */
  readonly now: unknown
  readonly error: string | undefined
  readonly onChange: (value: unknown) => void
}) => {
  const field = {
    label: origin.setting,
    help: `${origin.description} (${origin.accepts})`,
    error,
    value: textOf(now),
    disabled: origin.pinned,
    onValue: (typed: string) => onChange(valueOf(typed, before))
  }
  const isLong = Array.isArray(before) || (typeof before === "string" && (before.length > 80 || before.includes("\n")))
  return (
    <div class="setting" data-changed={now !== before}>
      {typeof before === "boolean" ? (
        <>
          <Switch
            label={origin.setting}
            help={origin.description}
            checked={now === true}
            disabled={origin.pinned}
            onChecked={onChange}
          />
          {error !== undefined && (
            <p class="f-error" role="alert">
              {error}
            </p>
          )}
        </>
      ) : isLong ? (
        <TextArea {...field} rows={3} />
      ) : (
        <TextField {...field} />
      )}
      <div class="badges">
        {origin.pinned ? (
          <Badge kind="warn">{t("pinned", { name: origin.environmentVariable })}</Badge>
        ) : (
          origin.origin !== "default" && <Badge kind="good">{t("originName", { origin: origin.origin })}</Badge>
        )}
        {now !== before && <Badge kind="warn">{t("notSaved")}</Badge>}
        {origin.withoutEffect !== null && <Badge>{t("withoutEffect", { why: origin.withoutEffect })}</Badge>}
      </div>
    </div>
  )
}
