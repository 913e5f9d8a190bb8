import { useState } from "preact/hooks"
import type { Failure } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useDraft } from "../../navigation/Draft.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { TextArea } from "../../ui/Field.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"
import { mostOthers, othersOf } from "./Others.ts"

const t = text("follows")
const common = text("common")

/** A dialog in which hosts and handles are named that the instance is to follow. */
export const FollowDialog = ({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) => {
  const draft = useDraft("follows.others", { others: "" })
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Failure>()
  const { handles, hosts, wrong } = othersOf(draft.value.others)
  const count = hosts.length + handles.length
  const own = (): string | undefined => {
    if (wrong.length > 0) return t("othersWrong", { count: wrong.length, first: wrong[0] ?? "" })
    if (count === 0) return common("required")
    if (Math.max(hosts.length, handles.length) > mostOthers) return t("othersMany", { max: mostOthers })
    return undefined
  }
  /** The server names an entry by its place, as `hosts[2]`: people know it by its name. */
  const refused = ({ wrong: fields }: Failure): string | undefined => {
    const [first] = fields
    if (first === undefined) return undefined
    const at = /^(hosts|handles)\[(\d+)\]$/.exec(first.name)
    const named = at === null ? undefined : (at[1] === "hosts" ? hosts : handles)[Number(at[2])]
    return named === undefined ? first.reason : `${named}: ${first.reason}`
  }
  const send = async (): Promise<void> => {
    setTried(true)
    if (own() !== undefined) return
    setBusy(true)
    const answer = await call("POST /api/v1/server/following", { body: { hosts, handles } })
    setBusy(false)
    if (!answer.ok) return setRefusal(answer)
    draft.clear()
    toast(t("asked", { count }))
    onDone()
    onClose()
  }
  const error =
    (tried ? own() : undefined) ?? (refusal === undefined ? undefined : (refused(refusal) ?? failureWords(refusal)))
  return (
    <Dialog
      title={t("followTitle")}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common("cancel")}</Button>
          <Button kind="primary" busy={busy} onClick={() => void send()}>
            {t("follow")}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>{t("followText")}</p>
        <TextArea
          label={t("others")}
          help={t("othersHelp")}
          rows={6}
          value={draft.value.others}
          error={error}
          onValue={(others) => {
            setRefusal(undefined)
            draft.set({ others })
          }}
        />
      </div>
    </Dialog>
  )
}
