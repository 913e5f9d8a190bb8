import { text } from "../../i18n/Text.ts"
import { Menu } from "../../ui/Menu.tsx"
import { addressOf, type Group } from "./Groups.ts"

const t = text("mySubscriptions")
const common = text("common")

/** The groups as links, and what can be done with the one that is shown. */
export const GroupChips = ({
  groups,
  onDelete,
  onRename,
  shown,
  view
}: {
  readonly groups: ReadonlyArray<Group>
  readonly shown: Group | undefined
  readonly view: "videos" | "channels"
  readonly onRename: (group: Group) => void
  readonly onDelete: (group: Group) => void
}) => (
  <div class="groups">
    <nav aria-label={t("groups")}>
      <ul class="group-chips">
        {[undefined, ...groups].map((group) => (
          <li key={group?.id ?? 0}>
            <a
              href={addressOf(group?.id, view)}
              aria-current={group?.id === shown?.id ? "page" : undefined}
              class="group-chip"
            >
              {group?.name ?? t("all")}
            </a>
          </li>
        ))}
      </ul>
    </nav>
    {shown !== undefined && (
      <Menu
        label={common("actions", { name: shown.name })}
        icon="dots"
        kind="quiet"
        items={[
          { label: t("rename"), icon: "pencil", onSelect: () => onRename(shown) },
          { label: t("delete"), icon: "trash", danger: true, onSelect: () => onDelete(shown) }
        ]}
      />
    )}
  </div>
)
