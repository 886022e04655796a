import { useEffect, useRef } from "preact/hooks";
import { toast } from "../app/live.ts";
import { t } from "../i18n/index.ts";
import { Dialog } from "../ui/Dialog.tsx";

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}

type DetectorClass = new (options: { formats: string[] }) => Detector;

const detectorClass = (): DetectorClass | undefined => (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;

export function QrScanner({ onFound, onClose }: { onFound(text: string): void; onClose(): void }) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const Detector = detectorClass();
    let stream: MediaStream | undefined;
    let stopped = false;
    const look = async (detector: Detector): Promise<void> => {
      if (stopped || !video.current) return;
      const [found] = await detector.detect(video.current).catch(() => []);
      if (found) return onFound(found.rawValue);
      requestAnimationFrame(() => void look(detector));
    };
    const start = async (): Promise<void> => {
      if (!Detector || !video.current) return;
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      if (stopped) return stream.getTracks().forEach((track) => track.stop());
      video.current.srcObject = stream;
      await video.current.play();
      await look(new Detector({ formats: ["qr_code"] }));
    };
    start().catch(() => {
      toast(t("join.noCamera"), "error");
      onClose();
    });
    return () => {
      stopped = true;
      stream?.getTracks().forEach((track) => track.stop());
    };
  }, []);
  return (
    <Dialog title={t("join.scan")} onClose={onClose}>
      <video ref={video} class="scanner" playsInline muted />
    </Dialog>
  );
}
