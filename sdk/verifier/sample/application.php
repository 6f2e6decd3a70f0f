<?php
declare(strict_types=1);

/* The smallest application in PHP: it checks each callback of the platform, and answers an alarm. */

require __DIR__ . '/../CallbackVerifier.php';

use Carillon\CallbackRefusal;
use Carillon\CallbackVerifier;

/* They decide about a person who waits. One that this program cannot answer is left to the fallback of the platform. */
const UNDECIDED = ['newCall', 'callEvent', 'getIvrCommand', 'newRemoteCall'];

function answer(int $status, object $body): void
{
    http_response_code($status);
    header('Content-Type: application/json');
    echo json_encode($body);
}

$name = basename((string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
$body = (string) file_get_contents('php://input');
try {
    // PHP forgets used tokens after each request: a program that is in service gives a ReplayMemory on a store of its own.
    $verifier = new CallbackVerifier(
        [['algorithm' => getenv('ALGORITHM') ?: 'ES256', 'key' => (string) getenv('KEY')]],
        (string) getenv('AUDIENCE'),
        (string) getenv('ISSUER'),
    );
    $verifier->verify($_SERVER['HTTP_AUTHORIZATION'] ?? null, $body);
} catch (CallbackRefusal $refusal) {
    error_log("$name refused: {$refusal->getMessage()}");
    answer(401, (object) ['reason' => $refusal->getMessage()]);
    return;
}
error_log("$name $body");
if ($name === 'newAlarmbridgeEvent') {
    // A repeat of the event gets the same answer.
    answer(200, (object) ['action' => 'callEmergencyCenter']);
} elseif (in_array($name, UNDECIDED, true)) {
    answer(501, (object) ['reason' => "$name is not answered here."]);
} else {
    answer(200, (object) []);
}
