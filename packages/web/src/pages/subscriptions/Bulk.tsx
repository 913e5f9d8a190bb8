import { useState } from "preact/hooks"
import { text } from "../../i18n/Text.ts"
import { Button } from "../../ui/Button.tsx"
import { Menu } from "../../ui/Menu.tsx"
import { addTo, type Followed, type Group, handleOf, removeFrom, unsubscribe } from "./Groups.ts"

const t = text("mySubscriptions")

/** What is done with several channels at once. */
export const Bulk = ({
  channels,
  groups,
  onCreate,
  onDone
}: {
  readonly channels: ReadonlyArray<Followed>
  readonly groups: ReadonlyArray<Group>
  readonly onDone: () => void
  /** Makes a group of them. */
  readonly onCreate: () => void
}) => {
  const [busy, setBusy] = useState(false)
  const run = async (doing: Promise<boolean>): Promise<void> => {
    setBusy(true)
    const happened = await doing
    setBusy(false)
    if (happened) onDone()
  }
  const inside = groups.filter((it) => channels.some((channel) => it.channels.includes(handleOf(channel))))
  return (
    <>
      <Menu
        label={t("addTo")}
        icon="plus"
        small
        items={[
          ...groups.map((it) => ({ label: it.name, onSelect: () => void run(addTo(it, channels)) })),
          { label: t("create"), icon: "plus" as const, onSelect: onCreate }
        ]}
      >
        {t("addTo")}
      </Menu>
      {inside.length > 0 && (
        <Menu
          label={t("removeFrom")}
          icon="close"
          small
          items={inside.map((it) => ({ label: it.name, onSelect: () => void run(removeFrom(it, channels)) }))}
        >
          {t("removeFrom")}
        </Menu>
      )}
      <Button kind="danger" small icon="trash" busy={busy} onClick={() => void run(unsubscribe(channels))}>
        {t("unsubscribe")}
      </Button>
    </>
  )
}
