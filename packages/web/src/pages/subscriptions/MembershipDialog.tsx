import { useState } from "preact/hooks"
import { text } from "../../i18n/Text.ts"
import { Button } from "../../ui/Button.tsx"
import { Switch } from "../../ui/Choices.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { addTo, type Followed, type Group, handleOf, removeFrom } from "./Groups.ts"

const t = text("mySubscriptions")

/** A dialog with the groups that a channel is in: each is switched on and off at once. */
export const MembershipDialog = ({
  channel,
  groups,
  onChanged,
  onClose,
  onCreate
}: {
  readonly channel: Followed
  readonly groups: ReadonlyArray<Group>
  readonly onChanged: () => Promise<void>
  readonly onClose: () => void
  readonly onCreate: () => void
}) => {
  // What was switched is shown at once, until the groups say so themselves.
  const [switched, setSwitched] = useState<ReadonlyMap<number, boolean>>(new Map())
  const show = (group: Group, isIn: boolean | undefined): void =>
    setSwitched((before) => {
      const next = new Map(before)
      if (isIn === undefined) next.delete(group.id)
      else next.set(group.id, isIn)
      return next
    })
  const set = async (group: Group, isIn: boolean): Promise<void> => {
    show(group, isIn)
    if (await (isIn ? addTo(group, [channel]) : removeFrom(group, [channel]))) await onChanged()
    show(group, undefined)
  }
  return (
    <Dialog
      title={t("groupsOf", { name: channel.displayName })}
      onClose={onClose}
      actions={
        <Button icon="plus" onClick={onCreate}>
          {t("create")}
        </Button>
      }
    >
      <div class="stack">
        {groups.length === 0 && <p>{t("noGroups")}</p>}
        {groups.map((group) => (
          <Switch
            key={group.id}
            label={group.name}
            checked={switched.get(group.id) ?? group.channels.includes(handleOf(channel))}
            onChecked={(on) => void set(group, on)}
          />
        ))}
      </div>
    </Dialog>
  )
}
