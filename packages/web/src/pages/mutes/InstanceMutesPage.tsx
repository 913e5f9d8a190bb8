import { Mutes } from "./Mutes.tsx"

/** Accounts and servers that the instance mutes for everybody. */
export const Page = () => <Mutes by="server" />
