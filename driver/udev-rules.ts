import type { BoardDefinition } from '../boards/definition.ts';

/** Where the rules go. The number must stand before 73, where `uaccess` is looked at. */
export const UDEV_RULES_FILE = '/etc/udev/rules.d/70-jadoube.rules';

/**
 * Writes the udev rules that let people use HID boards without being root: whoever sits at the machine (`uaccess`), and
 * on machines nobody sits at the group that has the serial ports anyway. Serial boards need no rule: a rule for the
 * bridge chips in them would open every such adapter.
 */
export function makeUdevRules(definitions: readonly BoardDefinition[]): string {
  const vendors = new Map<string, string[]>();
  for (const { name, hid } of definitions) {
    for (const { vendorId, productId } of hid?.usb ?? []) {
      const product = productId === undefined ? '' : `, ATTRS{idProduct}=="${productId}"`;
      const match = `KERNEL=="hidraw*", ATTRS{idVendor}=="${vendorId}"${product}`;
      vendors.set(match, [...(vendors.get(match) ?? []), name]);
    }
  }
  const lines = [...vendors].flatMap(([match, names]) => [
    '',
    `# ${[...new Set(names)].join(', ')}`,
    `${match}, MODE="0660", GROUP="dialout", TAG+="uaccess"`,
  ]);
  return [
    '# Electronic chessboards on USB that are no serial ports: for whoever sits at this machine, and for the group dialout.',
    `# Install as ${UDEV_RULES_FILE}, then: udevadm control --reload, and plug the board in again.`,
    ...lines,
    '',
  ].join('\n');
}
