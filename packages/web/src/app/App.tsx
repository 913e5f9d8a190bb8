import { Confirmations } from "../ui/Confirm.tsx"
import { Toasts } from "../ui/Toasts.tsx"
import { LoginDialog } from "./LoginDialog.tsx"
import { Navigation } from "./Navigation.tsx"
import { Outlet } from "./Outlet.tsx"

/** The shell of the working areas. */
export const App = () => (
  <div class="work">
    <Navigation />
    <Outlet />
    <Confirmations />
    <LoginDialog />
    <Toasts />
  </div>
)
