import { useState } from "preact/hooks"
import { text } from "../i18n/Text.ts"
import { Field, type FieldProps } from "./Field.tsx"
import { Icon } from "./Icon.tsx"

const t = text("common")

/** A list of short texts: Enter or a comma ends one, Backspace in the empty box takes the last away. */
export const TagsField = ({
  max,
  onValue,
  value,
  ...field
}: FieldProps & {
  readonly value: ReadonlyArray<string>
  readonly max: number
  readonly onValue: (value: ReadonlyArray<string>) => void
}) => {
  const [typed, setTyped] = useState("")
  const add = (): void => {
    const tag = typed.trim()
    if (tag === "" || value.length >= max) return
    if (!value.includes(tag)) onValue([...value, tag])
    setTyped("")
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" || event.key === ",") {
      event.preventDefault()
      add()
    } else if (event.key === "Backspace" && typed === "") onValue(value.slice(0, -1))
  }
  return (
    <Field {...field} help={field.help ?? t("tagsHelp")}>
      {(control) => (
        <div class="in tags">
          {value.map((tag) => (
            <span class="tag" key={tag}>
              {tag}
              <button
                type="button"
                aria-label={t("removeTag", { tag })}
                onClick={() => onValue(value.filter((it) => it !== tag))}
              >
                <Icon name="close" size={14} />
              </button>
            </span>
          ))}
          <input
            {...control}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onBlur={add}
          />
        </div>
      )}
    </Field>
  )
}
