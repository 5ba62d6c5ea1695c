/*
 * The requirements of the documents, built from requirements.tsv: ids, levels, bases, profiles and sources
 * are read from here and nowhere else.
 */
#ifndef CODEC_RULES_REQUIREMENTS_H
#define CODEC_RULES_REQUIREMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/family.h"

enum requirement_party { REQUIREMENT_CLIENT, REQUIREMENT_SERVER };
enum requirement_level { REQUIREMENT_MUST, REQUIREMENT_SHOULD, REQUIREMENT_MAY };
enum requirement_basis { BASIS_DOC, BASIS_RFC6455, BASIS_INFERRED, BASIS_FIELD };

struct requirement {
    const char *id;
    enum requirement_party party;
    enum requirement_level level;
    enum requirement_basis basis;
    const char *profiles; /* "all", "both", "current", "earlier" or a profile's name */
    const char *source;   /* document and section: "Ojin Oris 1.0 Realtime API: Frame Types" */
    const char *statement;
};

extern const struct requirement REQUIREMENTS[];
extern const size_t REQUIREMENT_COUNT;
/* The rows of REQUIREMENTS, as many, in the order that strcmp gives their ids. */
extern const uint16_t REQUIREMENTS_BY_ID[];

/* NULL when there is none of that id. */
const struct requirement *requirement_by_id(const char *id);
/* Does it bind whoever speaks that profile? */
bool requirement_applies(const struct requirement *requirement, const struct profile *profile);
/* Its basis there: of a profile that no document covers (audio mode, the later version), what a document says
 * of the others is inferred. `profile` may be NULL: as the table has it. */
enum requirement_basis requirement_basis_in(const struct requirement *requirement,
                                            const struct profile *profile);
/* Static strings as the table spells them. */
const char *requirement_level_name(enum requirement_level level);
const char *requirement_basis_name(enum requirement_basis basis);

#endif
