import { constraints } from "@kinora/domain/enums/Constraints"
import { useState } from "preact/hooks"
import { text } from "../../i18n/Text.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { TextField } from "../../ui/Field.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"
import { type Followed, type Group, saveGroup } from "./Groups.ts"

const t = text("mySubscriptions")
const common = text("common")

/** A dialog in which a group gets its name: a new one, with channels from the start, or one that there is. */
export const GroupDialog = ({
  channels = [],
  group,
  onClose,
  onSaved
}: {
  readonly group?: Group | undefined
  readonly channels?: ReadonlyArray<Followed>
  readonly onClose: () => void
  readonly onSaved: () => void
}) => {
  const [name, setName] = useState(group?.name ?? "")
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    const wanted = name.trim()
    if (wanted === "") return setError(common("required"))
    setBusy(true)
    const answer = await saveGroup(group, wanted, channels)
    setBusy(false)
    if (!answer.ok) return setError(answer.wrong[0]?.reason ?? failureWords(answer))
    toast(t("saved", { group: wanted }))
    onSaved()
  }
  return (
    <Dialog
      title={group === undefined ? t("create") : t("renameTitle", { group: group.name })}
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
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void save()
        }}
      >
        <TextField
          label={t("name")}
          {...(channels.length === 0 ? {} : { help: t("createWith", { count: channels.length }) })}
          value={name}
          error={error}
          maxLength={constraints.subscriptionGroup.name.max}
          onValue={(it) => {
            setName(it)
            setError(undefined)
          }}
        />
      </form>
    </Dialog>
  )
}
