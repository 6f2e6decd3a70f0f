"""Reports events by the client of dc09_spt, over TCP and UDP, plain and encrypted, and prints a JSON line for each."""
import json
import sys

suite, port, keys = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
sys.path.insert(0, suite)
from dc09_spt.comm import TransPath  # noqa: E402
from dc09_spt.dc09_spt import dc09_spt  # noqa: E402
from dc09_spt.msg import dc03_msg, dc05_msg, dc09_msg  # noqa: E402

SIA = [{'code': 'BA', 'zone': 3, 'area': 2}, {'code': 'FA', 'zone': 7}, {'code': 'RP'}, {'code': 'CL', 'user': 4},
       {'code': 'PA', 'zone': 1, 'text': 'Hall'}, {'code': 'RR', 'text': 'Start of dialler', 'time': 'now'}]
CID = [{'code': 130, 'q': 1, 'zone': 7, 'area': 2}, {'code': 602, 'q': 1}, {'code': 110, 'q': 3, 'zone': 9},
       {'code': 401, 'q': 1, 'user': 12, 'account': '124'}]

number = 0
for account, key in keys.items():
    for transport in ['TCP', 'UDP']:
        spt = dc09_spt(account)
        path = TransPath('127.0.0.1', port, account, key=bytes.fromhex(key) or None, receiver=None, line=None,
                         type=transport)
        messages = [('NULL', '', {})]
        messages += [('SIA-DCS', dc03_msg.dc03event(account, each), each) for each in SIA]
        messages += [('ADM-CID', dc05_msg.dc05event(account, each), each) for each in CID]
        for kind, text, params in messages:
            number += 1
            extra = dc09_msg.dc09_extra(params)
            body = text if extra is None else text + extra
            try:
                taken = spt.transfer_msg(number, kind, body, path)
            except Exception as cause:  # The client cannot make this event: a row, too.
                taken = repr(cause)
            print(json.dumps({'name': f'Python {transport} {"plain" if not key else len(key) * 4} {kind} {body}',
                              'taken': taken}), flush=True)
