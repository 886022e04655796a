import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n/index.ts";

type LazyComponent<P> = ComponentType<P> & {
  /** Fetches it before it is shown. */
  fetch(): Promise<void>;
};

/** A component that is fetched when first shown; a quiet one, such as a dialog, leaves its place empty until then. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>, quiet = false): LazyComponent<P> {
  let loaded: ComponentType<P> | undefined;
  const fetch = async () => void (loaded = await load());
  return Object.assign(Lazy, { fetch });
  function Lazy(props: P) {
    const [, ready] = useState(0);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (loaded) return;
      fetch().then(
        () => ready(1),
        () => setFailed(true),
      );
    }, []);
    if (loaded) {
      const Component = loaded;
      return <Component {...props} />;
    }
    if (quiet && !failed) return null;
    return (
      <p class="part-loading" role="status">
        {failed ? t("error.load") : t("loading")}
      </p>
    );
  }
}
