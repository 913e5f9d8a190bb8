import { Confirmations } from "../ui/Confirm.tsx"
import { Toasts } from "../ui/Toasts.tsx"
import { Buttons, Feedback, Inputs } from "./Controls.tsx"
import { Lists, Plots, Tables } from "./Data.tsx"

/** Every component in every state, in development alone: words here are for developers and are not translated. */
export const Components = () => (
  <div class="page components">
    <h1>Components</h1>
    <Buttons />
    <Inputs />
    <Feedback />
    <Tables />
    <Lists />
    <Plots />
    <Confirmations />
    <Toasts />
  </div>
)
