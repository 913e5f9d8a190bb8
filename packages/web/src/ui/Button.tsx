import type { ComponentChildren } from "preact"
import { Icon, type IconName } from "./Icon.tsx"

export interface ButtonProps {
  readonly children?: ComponentChildren
  /** `primary` once on a page, for what it is there for. */
  readonly kind?: "primary" | "plain" | "quiet" | "danger"
  readonly type?: "button" | "submit"
  readonly icon?: IconName
  /** The name of a button that shows a picture alone. */
  readonly label?: string
  readonly busy?: boolean
  readonly disabled?: boolean
  readonly small?: boolean
  readonly onClick?: (event: MouseEvent) => void
  readonly "aria-expanded"?: boolean
  readonly "aria-haspopup"?: "menu" | "dialog"
  readonly "aria-controls"?: string
}

const classOf = ({ children, kind = "plain", small }: ButtonProps): string =>
  ["btn", `btn-${kind}`, small === true ? "btn-small" : "", children === undefined ? "btn-icon" : ""]
    .filter(Boolean)
    .join(" ")

/** A button. While it is busy it stays where it is and can be focused, but does nothing. */
export const Button = (props: ButtonProps) => {
  const {
    busy = false,
    children,
    disabled,
    icon,
    kind: _kind,
    label,
    onClick,
    small: _small,
    type = "button",
    ...rest
  } = props
  return (
    <button
      {...rest}
      type={type}
      class={classOf(props)}
      aria-label={label}
      title={children === undefined ? label : undefined}
      aria-busy={busy}
      disabled={disabled}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {busy ? <span class="spinner" /> : icon !== undefined && <Icon name={icon} size={18} />}
      {children !== undefined && <span>{children}</span>}
    </button>
  )
}

/** A link that looks like a button. */
export const ButtonLink = ({
  children,
  href,
  icon,
  kind = "plain"
}: Pick<ButtonProps, "children" | "icon" | "kind"> & { readonly href: string }) => (
  <a class={classOf({ children, kind })} href={href}>
    {icon !== undefined && <Icon name={icon} size={18} />}
    <span>{children}</span>
  </a>
)
