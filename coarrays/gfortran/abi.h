/* abi.h: the procedures that code compiled with `gfortran -fcoarray=lib` calls, as GNU Fortran 12
 * to 16 call them (its manual, "Function ABI Documentation", and -fdump-tree-original where the
 * manual is older or wrong). A token is a struct caf_coarray *, or what token.h says; of an
 * allocatable component it is what component.c makes of it. `stat` and `errmsg` are NULL where the
 * program has none; without stat an error ends the program. Images count from 1. */
#ifndef COARRAYS_GFORTRAN_ABI_H
#define COARRAYS_GFORTRAN_ABI_H

#include <stdint.h>

#include "accessor.h"
#include "descriptor.h"

typedef void *caf_token;

#pragma GCC visibility push(default)

/* ---- program.c ---- */

void _gfortran_caf_init(int *argc, char ***argv);
void _gfortran_caf_finalize(void);
int _gfortran_caf_this_image(int distance);
int _gfortran_caf_num_images(int distance, int failed);
int _gfortran_caf_image_status(int image, void *team);
void _gfortran_caf_failed_images(struct descriptor *result, void *team, int *kind);
void _gfortran_caf_stopped_images(struct descriptor *result, void *team, int *kind);

/* ---- random.c ---- */

void _gfortran_caf_random_init(bool repeatable, bool image_distinct);

/* ---- stop.c ---- */

void _gfortran_caf_stop_numeric(int code, bool quiet) __attribute__((noreturn));
void _gfortran_caf_stop_str(const char *text, size_t length, bool quiet) __attribute__((noreturn));
void _gfortran_caf_error_stop(int code, bool quiet) __attribute__((noreturn));
void _gfortran_caf_error_stop_str(const char *text, size_t length, bool quiet)
    __attribute__((noreturn));
void _gfortran_caf_fail_image(void) __attribute__((noreturn));

/* ---- team.c ---- */

void _gfortran_caf_form_team(int number, void **team, int new_index);
void _gfortran_caf_change_team(void **team, int unused);
void _gfortran_caf_end_team(void **team);
void _gfortran_caf_sync_team(void **team, int unused);
int _gfortran_caf_team_number(void *team);
void *_gfortran_caf_get_team(int *level);
int _gfortran_caf_get_communicator(void **team);

/* ---- calls_16.c: what GNU Fortran 16 calls in another way than 12 to 15, under the same names.
 * `caf` tells the linker to take these for them (--wrap). A team is passed by value; NULL: none.
 * ---- */

int __wrap__gfortran_caf_this_image(void *team);
int __wrap__gfortran_caf_num_images(void *team, int *team_number);
void __wrap__gfortran_caf_form_team(int number, void **team, int *new_index, int *stat,
                                    char *errmsg, size_t errmsg_length);
void __wrap__gfortran_caf_change_team(void *team, int *stat, char *errmsg, size_t errmsg_length);
void __wrap__gfortran_caf_end_team(int *stat, char *errmsg, size_t errmsg_length);
void __wrap__gfortran_caf_sync_team(void *team, int *stat, char *errmsg, size_t errmsg_length);

/* ---- allocate.c ---- */

enum register_type {
    REGISTER_STATIC,
    REGISTER_ALLOCATABLE,
    REGISTER_LOCK_STATIC,
    REGISTER_LOCK_ALLOCATABLE,
    REGISTER_CRITICAL,
    REGISTER_EVENT_STATIC,
    REGISTER_EVENT_ALLOCATABLE,
    REGISTER_COMPONENT,          /* a token for a component that has no memory yet */
    REGISTER_COMPONENT_ALLOCATE, /* its memory */
    REGISTER_PLACE /* an associate name: *token is the coarray's, and becomes the name's */
};
enum deregister_type { DEREGISTER, DEREGISTER_MEMORY_ONLY };

/* size: bytes, or for locks, critical sections and events their number. */
void _gfortran_caf_register(size_t size, int type, caf_token *token, struct descriptor *array,
                            int *stat, char *errmsg, size_t errmsg_length);
void _gfortran_caf_deregister(caf_token *token, int type, int *stat, char *errmsg,
                              size_t errmsg_length);

/* ---- transfer.c ---- */

/* offset: bytes from the start of the coarray to the array's first element. `to`, `from`: of a
 * coarray's side the base address is this image's. Subscripts: NULL, or one per dimension. */
void _gfortran_caf_get(caf_token token, size_t offset, int image, struct descriptor *from,
                       struct subscript *from_subscripts, struct descriptor *to, int from_kind,
                       int to_kind, bool may_require_tmp, int *stat);
void _gfortran_caf_send(caf_token token, size_t offset, int image, struct descriptor *to,
                        struct subscript *to_subscripts, struct descriptor *from, int to_kind,
                        int from_kind, bool may_require_tmp, int *stat, void *team);
void _gfortran_caf_sendget(caf_token to_token, size_t to_offset, int to_image,
                           struct descriptor *to, struct subscript *to_subscripts,
                           caf_token from_token, size_t from_offset, int from_image,
                           struct descriptor *from, struct subscript *from_subscripts, int to_kind,
                           int from_kind, bool may_require_tmp, int *stat);

/* ---- reference.c ---- */

void _gfortran_caf_get_by_ref(caf_token token, int image, struct descriptor *to,
                              struct reference *references, int to_kind, int from_kind,
                              bool may_require_tmp, bool to_reallocatable, int *stat,
                              int from_type);
void _gfortran_caf_send_by_ref(caf_token token, int image, struct descriptor *from,
                               struct reference *references, int to_kind, int from_kind,
                               bool may_require_tmp, bool to_reallocatable, int *stat, int to_type);
void _gfortran_caf_sendget_by_ref(caf_token to_token, int to_image, struct reference *to_references,
                                  caf_token from_token, int from_image,
                                  struct reference *from_references, int to_kind, int from_kind,
                                  bool may_require_tmp, int *to_stat, int *from_stat, int to_type,
                                  int from_type);
int _gfortran_caf_is_present(caf_token token, int image, struct reference *references);

/* ---- accessor.c, access.c: GNU Fortran 15 and later, in place of the above ---- */

void _gfortran_caf_register_accessor(int hash, accessor *procedure);
void _gfortran_caf_register_accessors_finish(void);
int _gfortran_caf_get_remote_function_index(int hash);

/* from, to: the coarray's descriptor, or of the other side; NULL: none. Lengths are those of
 * characters, then bytes are those of one character. team, team_number: NULL, or those of
 * x[image, team=..., team_number=...]. */
void _gfortran_caf_get_from_remote(caf_token token, const struct descriptor *from,
                                   const size_t *from_length, int image, size_t to_bytes,
                                   void **to_memory, size_t *to_length, struct descriptor *to,
                                   bool may_reallocate, int accessor_index, void *added,
                                   size_t added_bytes, int *stat, void **team, int *team_number);
void _gfortran_caf_send_to_remote(caf_token token, struct descriptor *to, const size_t *to_length,
                                  int image, size_t from_bytes, const void *from_memory,
                                  const size_t *from_length, const struct descriptor *from,
                                  int accessor_index, void *added, size_t added_bytes, int *stat,
                                  void **team, int *team_number);
void _gfortran_caf_transfer_between_remotes(
    caf_token to_token, struct descriptor *to, size_t *to_length, int to_image, int to_accessor,
    void *to_added, size_t to_added_bytes, caf_token from_token, const struct descriptor *from,
    const size_t *from_length, int from_image, int from_accessor, void *from_added,
    size_t from_added_bytes, size_t from_bytes, bool is_scalar, int *to_stat, void **to_team,
    int *to_team_number, int *from_stat);
/* Those of 16, as calls_16.c. */
void __wrap__gfortran_caf_transfer_between_remotes(
    caf_token to_token, struct descriptor *to, size_t *to_length, int to_image, int to_accessor,
    void *to_added, size_t to_added_bytes, caf_token from_token, const struct descriptor *from,
    const size_t *from_length, int from_image, int from_accessor, void *from_added,
    size_t from_added_bytes, size_t from_bytes, bool is_scalar, int *to_stat, int *from_stat,
    void **to_team, int *to_team_number, void **from_team, int *from_team_number);
int _gfortran_caf_is_present_on_remote(caf_token token, int image, int accessor_index, void *added,
                                       size_t added_bytes);
int __wrap__gfortran_caf_is_present_on_remote(caf_token token, int image, int accessor_index,
                                              void *added, size_t added_bytes);

/* ---- sync.c ---- */

void _gfortran_caf_sync_all(int *stat, char *errmsg, size_t errmsg_length);
void _gfortran_caf_sync_images(int count, int *images, int *stat, char *errmsg,
                               size_t errmsg_length);
void _gfortran_caf_sync_memory(int *stat, char *errmsg, size_t errmsg_length);

/* ---- lock.c, event.c: index counts elements, from 0 ---- */

void _gfortran_caf_lock(caf_token token, size_t index, int image, int *acquired, int *stat,
                        char *errmsg, size_t errmsg_length);
void _gfortran_caf_unlock(caf_token token, size_t index, int image, int *stat, char *errmsg,
                          size_t errmsg_length);
void _gfortran_caf_event_post(caf_token token, size_t index, int image, int *stat, char *errmsg,
                              size_t errmsg_length);
void _gfortran_caf_event_wait(caf_token token, size_t index, int until_count, int *stat,
                              char *errmsg, size_t errmsg_length);
void _gfortran_caf_event_query(caf_token token, size_t index, int image, int *count, int *stat);

/* ---- atomic.c: image 0 is this one ---- */

void _gfortran_caf_atomic_define(caf_token token, size_t offset, int image, void *value, int *stat,
                                 int type, int kind);
void _gfortran_caf_atomic_ref(caf_token token, size_t offset, int image, void *value, int *stat,
                              int type, int kind);
void _gfortran_caf_atomic_cas(caf_token token, size_t offset, int image, void *old, void *compare,
                              void *value, int *stat, int type, int kind);
void _gfortran_caf_atomic_op(int operation, caf_token token, size_t offset, int image, void *value,
                             void *old, int *stat, int type, int kind);

/* ---- collective.c: result_image or source_image 0 is none; character_length that of max, min ----
 */

void _gfortran_caf_co_broadcast(struct descriptor *array, int source_image, int *stat, char *errmsg,
                                size_t errmsg_length);
void _gfortran_caf_co_sum(struct descriptor *array, int result_image, int *stat, char *errmsg,
                          size_t errmsg_length);
void _gfortran_caf_co_min(struct descriptor *array, int result_image, int *stat, char *errmsg,
                          int character_length, size_t errmsg_length);
void _gfortran_caf_co_max(struct descriptor *array, int result_image, int *stat, char *errmsg,
                          int character_length, size_t errmsg_length);
void _gfortran_caf_co_reduce(struct descriptor *array, void *(*operation)(void *, void *),
                             int operation_flags, int result_image, int *stat, char *errmsg,
                             int character_length, size_t errmsg_length);

#pragma GCC visibility pop

#endif
