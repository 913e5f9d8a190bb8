import { useId } from "preact/hooks"
import { Field, type FieldProps } from "./Field.tsx"

export interface Option {
  readonly value: string
  readonly label: string
}

/** One of several. */
export const SelectField = ({
  disabled,
  onValue,
  options,
  value,
  ...field
}: FieldProps & {
  readonly value: string
  readonly options: ReadonlyArray<Option>
  readonly onValue: (value: string) => void
  readonly disabled?: boolean
}) => (
  <Field {...field}>
    {(control) => (
      <select
        {...control}
        class="in in-select"
        disabled={disabled}
        value={value}
        onChange={(event) => onValue(event.currentTarget.value)}
      >
        {options.map((it) => (
          <option key={it.value} value={it.value}>
            {it.label}
          </option>
        ))}
      </select>
    )}
  </Field>
)

interface OnOffProps {
  readonly label: string
  readonly help?: string
  readonly checked: boolean
  readonly disabled?: boolean
  readonly onChecked: (checked: boolean) => void
}

const onOff = (look: "switch" | "checkbox") =>
  function OnOff({ checked, disabled, help, label, onChecked }: OnOffProps) {
    const id = useId()
    return (
      <div class={`onoff onoff-${look}`}>
        <label>
          <input
            type="checkbox"
            role={look === "switch" ? "switch" : undefined}
            checked={checked}
            disabled={disabled}
            aria-describedby={help === undefined ? undefined : `${id}-help`}
            onChange={(event) => onChecked(event.currentTarget.checked)}
          />
          <span>{label}</span>
        </label>
        {help !== undefined && (
          <p class="f-help" id={`${id}-help`}>
            {help}
          </p>
        )}
      </div>
    )
  }

/** On or off, at once. */
export const Switch = onOff("switch")

/** Yes or no, when the form is sent. */
export const Checkbox = onOff("checkbox")
