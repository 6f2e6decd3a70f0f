<?php
declare(strict_types=1);

require $argv[1];

use Carillon\CallbackRefusal;
use Carillon\CallbackVerifier;
use Carillon\ProcessMemory;

$set = json_decode(file_get_contents($argv[2]), true, flags: JSON_THROW_ON_ERROR);
$outcomes = [];
foreach ($set['vectors'] as $vector) {
    $found = [];
    try {
        $verifier = new CallbackVerifier(
            $vector['keys'],
            $set['audience'],
            $set['domain'],
            new ProcessMemory(),
            (float) $set['clockSkewS'],
            fn (): float => (float) $set['now'],
        );
        for ($time = 0; $time < ($vector['times'] ?? 1); $time++) {
            try {
                $verifier->verify($vector['authorization'], $vector['body']);
                $found[] = 'ok';
            } catch (CallbackRefusal $refusal) {
                $found[] = $refusal->refusal;
            }
        }
    } catch (CallbackRefusal $refusal) {
        $found[] = $refusal->refusal;
    }
    $outcomes[] = $found;
}
echo json_encode($outcomes, JSON_THROW_ON_ERROR);
