import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { text } from "../i18n/Text.ts"

const t = text("common")

/** What every field shows around its control. */
export interface FieldProps {
  readonly label: string
  readonly help?: string | undefined
  /** What is wrong with the value, in words. */
  readonly error?: string | undefined
  readonly required?: boolean
  /** Says "optional" beside the label, where most fields are required. */
  readonly optional?: boolean
}

/** What a control takes from its field. */
interface ControlProps {
  readonly id: string
  readonly "aria-describedby": string | undefined
  readonly "aria-invalid": boolean
  readonly required: boolean
}

/** A label, a control, its help and its error. The error is read out when it appears. */
export const Field = ({
  children,
  error,
  help,
  label,
  optional = false,
  required = false
}: FieldProps & { readonly children: (control: ControlProps) => ComponentChildren }) => {
  const id = useId()
  const described = [error !== undefined && `${id}-error`, help !== undefined && `${id}-help`].filter(Boolean).join(" ")
  return (
    <div class="f" data-invalid={error !== undefined}>
      <label for={id}>
        {label}
        {optional && <span class="f-note"> ({t("optional")})</span>}
      </label>
      {children({ id, required, "aria-describedby": described || undefined, "aria-invalid": error !== undefined })}
      <p class="f-error" id={`${id}-error`} role="alert">
        {error}
      </p>
      {help !== undefined && (
        <p class="f-help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  )
}

interface TextProps extends FieldProps {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly onBlur?: () => void
  readonly disabled?: boolean
  readonly maxLength?: number
}

/** One line of text. */
export const TextField = ({
  autocomplete,
  disabled,
  inputMode,
  maxLength,
  onBlur,
  onValue,
  type = "text",
  value,
  ...field
}: TextProps & {
  readonly type?: "text" | "email" | "password" | "url" | "date" | "datetime-local" | "number"
  readonly autocomplete?: "off" | "username" | "current-password" | "new-password" | "one-time-code" | "email"
  readonly inputMode?: "numeric" | "text"
}) => (
  <Field {...field}>
    {(control) => (
      <input
        {...control}
        // The types of the attributes name one kind of field each, and no choice of kinds.
        {...({ type } as { readonly type: "text" })}
        class="in"
        value={value}
        disabled={disabled}
        maxLength={maxLength}
        autocomplete={autocomplete ?? "off"}
        inputMode={inputMode}
        onInput={(event) => onValue(event.currentTarget.value)}
        onBlur={onBlur}
      />
    )}
  </Field>
)

/** Several lines of text; the box grows with them. */
export const TextArea = ({
  disabled,
  maxLength,
  onBlur,
  onValue,
  rows = 4,
  value,
  ...field
}: TextProps & { readonly rows?: number }) => (
  <Field {...field}>
    {(control) => (
      <textarea
        {...control}
        class="in in-area"
        rows={rows}
        disabled={disabled}
        maxLength={maxLength}
        onInput={(event) => onValue(event.currentTarget.value)}
        onBlur={onBlur}
        value={value}
      />
    )}
  </Field>
)
