-- What the host does for block-level pipelining, and how the blocks are shared out when nobody says.
SELECT 'cui-c-145' AS id,
       printf('launches: %d at most, copies by the host: %d at most, in %d loops', max(launches), max(copies), count(DISTINCT benchmark)) AS measured,
       '1 launch and no copy' AS bound, min(launches) = 1 AND max(launches) = 1 AND max(copies) = 0 AS ok, '' AS reason
FROM blp_datasets_median WHERE variant = 'blp' HAVING count(*) > 0;

WITH device AS (SELECT CAST(value AS INTEGER) AS multiprocessors FROM machine WHERE name = 'device0_multiprocessors')
SELECT 'cui-c-146' AS id,
       printf('%d + %d + %d of %d blocks on %d multiprocessors', copy_in_blocks, blocks - copy_in_blocks - copy_out_blocks, copy_out_blocks, blocks,
              multiprocessors) AS measured,
       'per direction <= 10 % of the multiprocessors; of 80: 4 + 72 + 4' AS bound,
       CASE WHEN multiprocessors < 10 THEN 'waived' WHEN multiprocessors = 80 THEN blocks = 80 AND copy_in_blocks = 4 AND copy_out_blocks = 4
            ELSE max(copy_in_blocks, copy_out_blocks) <= 0.1 * multiprocessors END AS ok,
       iif(multiprocessors < 10, 'one copy block is more than 10 % of so few multiprocessors', '') AS reason
FROM blp_conv2d_median, device WHERE variant = 'blp';
