import type { ComponentChildren } from "preact"
import { useId, useState } from "preact/hooks"
import type { Answer } from "../api/Answer.ts"
import { text } from "../i18n/Text.ts"
import { bytes } from "../i18n/Units.ts"
import { Button } from "./Button.tsx"
import { FileButton } from "./FileButton.tsx"
import { kindsOf, type PictureLimits, pictureRefusal } from "./PictureLimits.ts"
import { toast } from "./Toasts.tsx"
import { failureWords } from "./Words.ts"

const t = text("common")

/** A form with one file. */
export const formWith = (name: string, file: File): FormData => {
  const form = new FormData()
  form.set(name, file)
  return form
}

/** A picture that is chosen or dropped, sent at once, and removed. What is wrong with a file stands below it. */
export const PictureField = ({
  choose,
  children,
  help,
  limits,
  onRemove,
  onSaved,
  remove,
  send,
  title
}: {
  readonly title: string
  /** What the picture is for, and which size fits. */
  readonly help?: string
  /** Names of the buttons. */
  readonly choose: string
  readonly remove: string
  readonly limits: PictureLimits
  /** The picture as it is. */
  readonly children?: ComponentChildren
  readonly send: (file: File) => Promise<Answer>
  /** Missing where there is none to remove. */
  readonly onRemove: (() => Promise<Answer>) | undefined
  readonly onSaved: () => Promise<unknown>
}) => {
  const id = useId()
  const [busy, setBusy] = useState(false)
  const [over, setOver] = useState(false)
  const [wrong, setWrong] = useState<string>()
  const words = { kinds: kindsOf(limits.extensions), size: bytes(limits.maxBytes) }
  const run = async (act: () => Promise<Answer>, said: string): Promise<void> => {
    setBusy(true)
    setWrong(undefined)
    const answer = await act()
    if (answer.ok) {
      toast(said)
      await onSaved()
    } else
      setWrong(answer.wrong[0]?.reason ?? (answer.status === 413 ? t("pictureLarge", words) : failureWords(answer)))
    setBusy(false)
  }
  const take = (file: File | undefined): void => {
    if (file === undefined || busy) return
    const refusal = pictureRefusal(file, limits)
    if (refusal !== undefined) return setWrong(t(refusal, words))
    void run(() => send(file), t("pictureSaved"))
  }
  const drag = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes("Files") !== true) return
    event.preventDefault()
    setOver(true)
  }
  return (
    <section
      class="card stack picture"
      aria-labelledby={id}
      data-over={over}
      onDragEnter={drag}
      onDragOver={drag}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
      }}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer?.files[0])
      }}
    >
      <h2 id={id}>{title}</h2>
      {help !== undefined && <p class="lead">{help}</p>}
      {children}
      <div class="acts">
        <FileButton accept={limits.extensions.join()} busy={busy} onFile={take}>
          {choose}
        </FileButton>
        {onRemove !== undefined && (
          <Button icon="trash" busy={busy} onClick={() => void run(onRemove, t("pictureRemoved"))}>
            {remove}
          </Button>
        )}
      </div>
      <p class="f-help">{t("pictureLimits", words)}</p>
      <p class="f-error" role="alert">
        {wrong}
      </p>
    </section>
  )
}
