-- What moves in rounds that exchange input and output, without the host in between.
WITH moved AS (SELECT variant, rounds, bytes_to_device AS come, bytes_to_device + bytes_from_device AS bytes
               FROM unified_memory_rounds_median WHERE variant IN ('pipeline', 'um')),
um AS (SELECT min(come) AS least, max(come) AS most, min(rounds) AS fewest, max(rounds) AS rounds, count(*) - count(come) AS unknown
       FROM moved WHERE variant = 'um' HAVING count(*) > 1)
SELECT 'cui-c-103' AS id, printf('%.1f times as much with %d rounds', p.bytes / u.bytes, rounds) AS measured,
       printf('>= %g (thesis: 27.5)', rounds / 2.0) AS bound,
       CASE WHEN u.bytes IS NULL THEN 'waived' ELSE p.bytes / u.bytes >= rounds / 2.0 END AS ok,
       CASE WHEN u.bytes IS NULL THEN 'traffic of managed memory could not be counted, see the log' ELSE '' END AS reason
FROM moved AS p JOIN moved AS u USING (rounds)
WHERE p.variant = 'pipeline' AND u.variant = 'um' AND rounds = (SELECT max(rounds) FROM moved)
UNION ALL
SELECT 'cui-c-104', printf('%.0f bytes to the device with %d rounds, up to %.0f with up to %d', least, fewest, most, rounds),
       'within 5 %', CASE WHEN unknown THEN 'waived' ELSE most <= 1.05 * least END,
       CASE WHEN unknown THEN 'traffic of managed memory could not be counted, see the log' ELSE '' END
FROM um;
