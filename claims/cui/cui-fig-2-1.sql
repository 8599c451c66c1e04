-- A kernel that gets the pointer of cudaHostAlloc as it is.
SELECT 'cui-c-015' AS id, printf('%d wrong sums of %d MiB', sum(errors), max(bytes) >> 20) AS measured, 'none' AS bound,
       sum(errors) = 0 AS ok, '' AS reason
FROM unified_memory_access WHERE pattern = 'functions' AND variant = 'zero-copy' HAVING count(*) > 0;
