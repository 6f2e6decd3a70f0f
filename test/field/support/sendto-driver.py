"""Sends the messages of pjproject's scripts-sendto by its own inc_sip, and prints a JSON line for each script."""
import contextlib
import glob
import importlib.util
import io
import json
import os
import re
import socket
import sys
import time

suite, port, callers = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
os.chdir(suite)
sys.path.insert(0, suite)
sys.argv = ['run.py']
pause = time.sleep
time.sleep = lambda _: None  # Settings of pjsua look for free ports, half a second each: no pjsua is started.
import inc_sip as sip  # noqa: E402


def load(path):
    spec = importlib.util.spec_from_file_location('cfg_file', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.sendto_cfg


def caller_of(args):
    if '--use-srtp 2' in args:
        return callers['always']
    return callers['never'] if '--use-srtp 0' in args else callers['negotiated']


def dialog(address):
    made = sip.Dialog('127.0.0.1', port)
    made.sock.close()
    made.sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.sock.bind((address, 0))
    made.local_ip, made.local_port = made.sock.getsockname()
    made.call_id = str(time.time())
    made.local_tag = ';tag=%d' % made.local_port
    fill = made.update_fields
    made.update_fields = lambda text: fill(text.replace('$TARGET_URI', 'sip:service@127.0.0.1:%d' % port))
    return made


def run(path):
    cfg = load(path)
    made = dialog(caller_of(cfg.inst_param.arg))
    if cfg.complete_msg:
        request = made.update_fields(cfg.complete_msg)
    else:
        request = made.create_invite(cfg.sdp, cfg.extra_headers, cfg.body)
    answer = made.send_request_wait(request, 6)
    code = sip.get_code(answer)
    lacks = [each for each in cfg.resp_include if not re.search(each, answer, re.M | re.I)]
    holds = [each for each in cfg.resp_exclude if re.search(each, answer, re.M | re.I)]
    if code:
        made.hangup(code)
    made.sock.close()
    return {'expected': cfg.resp_code, 'code': code, 'lacks': lacks, 'holds': holds, 'answer': answer}


for path in sorted(glob.glob(os.path.join(suite, 'scripts-sendto', '*.py'))):
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            result = run(path)
    except Exception as cause:  # A script that cannot be read is a row, too.
        result = {'failed': repr(cause)}
    print(json.dumps({'name': os.path.basename(path)[:-3], **result}), flush=True)
    pause(0.05)
