import type { ComponentProps } from "preact";
import { lazy } from "../../ui/Lazy.tsx";

/** Parts of the poker table that most hands do without: they come when they are first shown. */
const questions = () => import("./Questions.tsx");

type Questions = Awaited<ReturnType<typeof questions>>;
type Words = typeof import("./TextTable.tsx");
type Bank = typeof import("./Ledger.tsx");

export const RunQuestion = lazy<ComponentProps<Questions["RunQuestion"]>>(async () => (await questions()).RunQuestion, true);
export const GameQuestion = lazy<ComponentProps<Questions["GameQuestion"]>>(async () => (await questions()).GameQuestion, true);
export const Wishes = lazy<ComponentProps<Questions["Wishes"]>>(async () => (await questions()).Wishes, true);
export const TextTable = lazy<ComponentProps<Words["TextTable"]>>(async () => (await import("./TextTable.tsx")).TextTable);
export const Ledger = lazy<ComponentProps<Bank["Ledger"]>>(async () => (await import("./Ledger.tsx")).Ledger);
