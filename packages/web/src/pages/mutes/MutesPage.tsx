import { Mutes } from "./Mutes.tsx"

/** Accounts and servers that the user mutes. */
export const Page = () => <Mutes by="users/me" />
