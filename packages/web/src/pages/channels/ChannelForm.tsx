import { constraints } from "@kinora/domain/enums/Constraints"
import type { ComponentChildren } from "preact"
import type { Failure } from "../../api/Answer.ts"
import { text } from "../../i18n/Text.ts"
import { TextArea, TextField } from "../../ui/Field.tsx"

const t = text("channels")

const { channel } = constraints

export interface ChannelFields {
  /** Of a new channel alone. */
  readonly name: string
  readonly displayName: string
  readonly description: string
  readonly support: string
}

type ErrorKey = "nameWrong" | "displayNameWrong" | "textWrong"
type ChannelErrors = Partial<Record<keyof ChannelFields, ErrorKey>>

const isWithin = (text: string, { max, min }: { readonly min: number; readonly max: number }): boolean => {
  const { length } = Array.from(text.trim())
  return length >= min && length <= max
}

/** What is wrong with the form of a channel. */
export const errorsOf = (fields: ChannelFields, isNew: boolean): ChannelErrors => {
  const textError = (value: string): ErrorKey | undefined =>
    value.trim() === "" || isWithin(value, channel.description) ? undefined : "textWrong"
  const { max, pattern } = channel.name
  const errors: Record<string, ErrorKey | undefined> = {
    name: isNew && !(fields.name.length <= max && pattern.test(fields.name)) ? "nameWrong" : undefined,
    displayName: isWithin(fields.displayName, channel.displayName) ? undefined : "displayNameWrong",
    description: textError(fields.description),
    support: textError(fields.support)
  }
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== undefined))
}

/** Empty text takes what was there away. */
export const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim())

/** The texts of a channel, for a new one and for one that is there. */
export const ChannelForm = ({
  children,
  errors,
  fields,
  isNew,
  onChange,
  refusal
}: {
  readonly fields: ChannelFields
  readonly isNew: boolean
  readonly errors: ChannelErrors
  readonly refusal: Failure | undefined
  readonly onChange: (fields: Partial<ChannelFields>) => void
  readonly children?: ComponentChildren
}) => {
  const errorOf = (name: keyof ChannelFields): string | undefined => {
    const own = errors[name]
    return own === undefined ? refusal?.wrong.find((it) => it.name === name)?.reason : t(own)
  }
  return (
    <div class="stack">
      <TextField
        label={t("displayName")}
        value={fields.displayName}
        onValue={(displayName) => onChange({ displayName })}
        error={errorOf("displayName")}
        maxLength={channel.displayName.max}
        required
      />
      {isNew && (
        <TextField
          label={t("name")}
          help={t("nameHelp")}
          value={fields.name}
          onValue={(name) => onChange({ name })}
          error={errorOf("name")}
          maxLength={channel.name.max}
          required
        />
      )}
      <TextArea
        label={t("description")}
        value={fields.description}
        onValue={(description) => onChange({ description })}
        error={errorOf("description")}
        optional
      />
      <TextArea
        label={t("support")}
        help={t("supportHelp")}
        value={fields.support}
        onValue={(support) => onChange({ support })}
        error={errorOf("support")}
        optional
      />
      {children}
    </div>
  )
}
