import { constraints } from "@kinora/domain/enums/Constraints"
import { useState } from "preact/hooks"
import type { Failure } from "../../api/Answer.ts"
import { text } from "../../i18n/Text.ts"
import { useDraft } from "../../navigation/Draft.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { TextArea, TextField } from "../../ui/Field.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"
import { type Watcher, watching, type WordList } from "./Watching.ts"
import { longLine, nameWrong, wordsOf, wordsWrong } from "./WordLines.ts"

const t = text("words")
const common = text("common")

const { listName, word, words: bounds } = constraints.watchedWords

/** A dialog in which a list of words is made, or changed where one is given. */
export const ListDialog = ({
  by,
  list,
  onClose,
  onSaved
}: {
  readonly by: Watcher
  readonly list: WordList | undefined
  readonly onClose: () => void
  readonly onSaved: () => void
}) => {
  const draft = useDraft(`words.${by}.${list?.id ?? "new"}`, {
    name: list?.listName ?? "",
    words: list?.words.join("\n") ?? ""
  })
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Failure>()
  const fields = draft.value
  const name = nameWrong(fields.name)
  const wrong = wordsWrong(fields.words)
  const count = wordsOf(fields.words).length
  const refused = (field: string): string | undefined => refusal?.wrong.find((it) => it.name === field)?.reason
  const wordsError = (): string | undefined => {
    // What is missing may still come; what is too much is said at once.
    if (wrong === undefined || (wrong === "noWords" && !tried)) return refused("words")
    return t(wrong, { max: wrong === "lineLong" ? word.max : bounds.max, line: longLine(fields.words) ?? 0 })
  }
  const nameError = name === undefined || (name === "nameWrong" && !tried) ? refused("listName") : t(name)
  const change = (changes: Partial<typeof fields>): void => {
    setRefusal(undefined)
    draft.set(changes)
  }
  const save = async (): Promise<void> => {
    setTried(true)
    if (name !== undefined || wrong !== undefined) return
    setBusy(true)
    const given = { listName: fields.name.trim(), words: wordsOf(fields.words) }
    const calls = watching(by)
    const answer = await (list === undefined ? calls.add(given) : calls.update(list.id, given))
    setBusy(false)
    if (!answer.ok) return setRefusal(answer)
    draft.clear()
    toast(t("saved", { name: given.listName }))
    onSaved()
  }
  return (
    <Dialog
      title={list === undefined ? t("create") : t("editTitle", { name: list.listName })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common("cancel")}</Button>
          <Button kind="primary" busy={busy} onClick={() => void save()}>
            {common("save")}
          </Button>
        </>
      }
    >
      <div class="stack">
        <TextField
          label={t("name")}
          help={t("nameHelp", { by })}
          value={fields.name}
          error={nameError}
          maxLength={listName.max}
          onValue={(it) => change({ name: it })}
        />
        <TextArea
          label={t("words")}
          help={t("wordsHelp", { count, max: bounds.max })}
          rows={8}
          value={fields.words}
          error={wordsError()}
          onValue={(it) => change({ words: it })}
        />
        <p class="f-error" role="alert">
          {refusal === undefined || refusal.wrong.length > 0 ? "" : failureWords(refusal)}
        </p>
      </div>
    </Dialog>
  )
}
