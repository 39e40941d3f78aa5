import { BOARDS } from '../../boards/registry.ts';
import { cureOf, isFaultCode } from '../../core/board-error.ts';
import { makeLinkAddress } from '../../driver/address.ts';
import { discover, LISTEN_MS, listPorts } from '../../driver/discovery.ts';
import { plainText } from '../view/display-text.ts';
import type { Io } from './io.ts';

/** Lists the kinds of board, or every port with why it is thought to be a board or not. */
export async function runBoards(
  options: { readonly kinds?: boolean; readonly json?: boolean },
  io: Io,
): Promise<number> {
  const { out } = io;
  const json = options.json === true;
  if (options.kinds === true) {
    for (const { id, name, models, profile, capabilities } of BOARDS) {
      if (json)
        out.write(`${JSON.stringify({ id, name, models, sensing: profile.sensing, ...capabilities })}\n`);
      else out.write(`${id}: ${name} (${models.join(', ')})\n`);
    }
    return 0;
  }
  const candidates = await discover({
    definitions: BOARDS,
    list: () => listPorts({ listenMs: LISTEN_MS }),
  });
  if (json) {
    for (const { link, port, verdict, kinds, why } of candidates) {
      const fault = port?.fault;
      const found = {
        link: makeLinkAddress(link),
        verdict,
        kinds: kinds.map(({ id }) => id),
        why,
        usb: port?.usb,
        fault,
      };
      out.write(`${JSON.stringify(found)}\n`);
    }
    return 0;
  }
  if (candidates.length === 0) {
    out.write(
      'No port and no board is here. Plug a board in or switch it on and look again; `jadoube doctor` looks for the reason.\n',
    );
  }
  for (const { link, port, verdict, kinds, why } of candidates) {
    const what = verdict === 'other' ? 'no board' : kinds.map(({ id }) => id).join(' or ');
    out.write(`${plainText(`${makeLinkAddress(link)}: ${what} - ${why}`)}\n`);
    const fault = port?.fault;
    if (fault !== undefined) {
      out.write(`  ${plainText(fault.message)}\n`);
      const group = /the group (\S+)/.exec(fault.message)?.[1];
      if (isFaultCode(fault.code))
        out.write(`  ${plainText(cureOf(fault.code, { group: group ?? 'dialout' }))}\n`);
    }
  }
  return 0;
}
