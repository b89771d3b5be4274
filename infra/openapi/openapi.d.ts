// The types of the accounting ledger's API, made from its OpenAPI document.
// Replies may gain fields, and a code or another word of a list may be one that is not here yet.

export interface paths {
    "/external/v1/users/ensure/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ensure user
         * @description Provisions the user, creating it if the calling application has not registered this address before. Safe on every login: an existing user is returned unchanged, and its password is neither compared nor replaced. Addresses are trimmed and compared without regard to case.
         */
        post: operations["ensure-user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/users/profile/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get user profile
         * @description Returns the user with a summary of every linked tenant, oldest first. If there are more than 100, read on with `cursor` until `next_cursor` is null. A user that another application registered is answered like one that does not exist.
         */
        post: operations["get-user-profile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/oauth/{platform}/initiate/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Initiate platform authorization
         * @description Returns the URL of the platform's consent page; send the user's browser there
         *     within ten minutes. After consent the service creates the tenant, starts its import and sends the
         *     browser to `{redirect_url}?status=success&domain_url=<prefix>`. Where the consent is for several
         *     companies, a page of the service asks the user which one is to be connected, within ten minutes and
         *     in the browser that came back from the consent alone; with `platform_company_id` it is that one,
         *     and nobody is asked.
         *
         *     A company that the application has connected before keeps its tenant and its name: its tokens are
         *     renewed and its cash-flow method is set anew, if the tenant is linked to the user. Consent alone
         *     never gives a user the books of somebody else; the application links further users by link-tenant.
         *
         *     At your redirect URL, trust your own session and not the query: anybody can open that URL with any
         *     `status` and `domain_url`. Whoever consents connects the company for the user of the
         *     `authorization_url`, and an attacker can send such a URL to somebody else. With
         *     `confirm_connection` the browser also brings a `confirmation_code`, and the tenant is
         *     `pending`: nothing is imported, and nothing of the company can be read, until your application
         *     confirms the connection by confirm-tenant with the user of the session and that code. A company that
         *     was connected before stays connected as it was until then. Who does not confirm within an hour
         *     starts again.
         *
         *     Without `confirm_connection`, check that the user who arrives is logged in and is the one for
         *     whom you started the authorization, and read in the user's profile which tenants it has. If somebody
         *     else arrives, give the access back by disconnect-tenant and unlink the new tenant by unlink-tenant:
         *     what was imported until then was open to the user who started. Without a `redirect_url` you
         *     cannot tell. "Who connects a company" in the introduction says what is bound at each platform.
         *
         *     Where it fails the browser goes to `{redirect_url}?status=error&error=<code>`, with one of these:
         *
         *     - `access_denied`: The user did not give consent at the platform, or chose none of the companies.
         *     - `authorization_failed`: The platform did not grant the access that was asked for.
         *     - `application_suspended`: The application that asked for this is suspended here.
         *     - `company_not_consented`: The consent is not for the company that the application asked for.
         *     - `too_many_companies`: The consent is for too many companies to choose from. The application has to name one.
         *     - `company_connected_by_another_user`: Another user has connected this company here. Only the application can give access to it.
         *     - `tenant_quota_reached`: The application that asked for this has as many companies as it may have.
         *     - `platform_failed`: The platform answered with a failure. Start again later.
         *     - `platform_timed_out`: The platform took too long to answer. Start again later.
         *     - `internal_error`: Something went wrong on our side. Start again later.
         *
         *     Without a `redirect_url` a plain page says the same, and so does one for an authorization that is
         *     unknown, used or older than ten minutes. Who reloads the page of one that has connected a company is
         *     told that, and is not sent to the `redirect_url` a second time. `redirect_url` is https, or http
         *     to localhost, 127.0.0.1 or [::1]; it has no user name, no fragment, and none of `status`,
         *     `domain_url`, `error`, `code` and `state` in its query. Where the application has
         *     registered redirect URLs, origin and path must equal those of one of them.
         */
        get: operations["initiate-oauth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/tenants/confirm/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm tenant
         * @description Confirms a connection that initiate-oauth started with `confirm_connection`: the
         *     tenant becomes `importing`, and its import is requested. A company that was connected before gets
         *     its new tokens now.
         *
         *     Send the user of the browser's own session, and never the one for whom you remember to have started
         *     the authorization: the request succeeds only if both are the same user, and so proves who has
         *     consented. The `confirmation_code` proves that the consent came back in this browser: nobody else
         *     knows it, neither the user's profile nor a log has it, and it confirms once.
         *
         *     Everything that does not fit is answered as `confirmation_not_found`, so that none tells anything
         *     about another: a tenant or a user that does not exist or is not yours, another user than the one who
         *     started, a wrong code, and a connection that is more than an hour old or was replaced by a later
         *     consent. A repeat of a request that has confirmed is answered with the tenant as it is by now, with
         *     the header `Idempotent-Replayed: true`, until the hour is over.
         *
         *     You need not decline: what is not confirmed within an hour ends by itself. It is refused and shown
         *     nowhere from then on, and the sealed tokens are deleted with it, within days. They are not revoked
         *     at the platform, since that could end another user's access to the same company.
         */
        post: operations["confirm-tenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/tenants/create/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create tenant
         * @description Creates a company for a user. What else is required depends on the platform:
         *
         *     - `manual`: `company_name` and `currency`. The company starts with a default chart of
         *       accounts and the calendar year as its fiscal year, which update-tenant changes.
         *     - `platform_a`, `platform_b`: `access_token`, `refresh_token` and
         *       `platform_company_id`. The name, unless `company_name` gives another, the currency, the
         *       fiscal year, the chart of accounts and the manual journals come from the platform.
         *     - `platform_c`: `company_name` and `currency`. With all three credentials too it is connected;
         *       without any it starts like `manual`. `data_center` says where Zoho keeps the company.
         *
         *     The prefix of the tenant is made of the company's name and a random suffix: keep it.
         *
         *     Where a platform is connected, a `currency` that is given must be that of the platform's company.
         *
         *     Both tokens are tried at the platform before anything is written: the access token must be good
         *     still, and the refresh token is used to get new ones, which are kept. With that the tokens are
         *     handed over: platforms replace a refresh token when it is used, so do not go on using yours. After a
         *     failure that is `retryable`, or none at all, send the same request again within minutes: platforms
         *     accept a refresh token that was just replaced for a short time. Credentials that are refused change
         *     nothing, whatever the company is connected with.
         *
         *     A company that the application has connected before keeps its tenant, its name, its fiscal year and
         *     its lock: its tokens are renewed, its cash-flow method is set anew and its import starts again. Only
         *     a user that the tenant is linked to can do this; for anybody else it is refused as
         *     `company_connected_by_another_user`, until the application links the user to the tenant.
         *
         *     A connected tenant has status `importing` in the user's profile until its chart of accounts and
         *     its manual journals are there.
         */
        post: operations["create-tenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/tenants/update/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update tenant
         * @description Changes what the request names of a tenant, and nothing else. The same values again
         *     change nothing.
         *
         *     **To lock a period**, set `lock_date`: from then on, entries whose posting date is on or before it
         *     are refused as `period_locked`, so that what was reported stays as it is. The posting date is the
         *     `accrual_date` where an entry has one, else its `date`. Posts that had begun a moment before may
         *     still come in: the lock is surely in force from `locked_from` on, 40 seconds
         *     after it was set. Keep the `digest` of a report from then on, and it can be compared for ever.
         *     Journals of a platform that are dated in the locked period are not imported: get-tenant-import names
         *     them, as `period_locked`.
         *
         *     While an entry is scheduled for the period and not posted yet, the lock is refused with 409
         *     `scheduled_entries_due`; `params` name the first such entry. Send the request again once it is
         *     posted or cancelled.
         *
         *     A lock can be moved back to an earlier date, which takes effect with the next post, and forward
         *     again. To take it away, move it back to a date before all entries, such as `0001-01-01`. Every
         *     change of it is recorded, with the API key that made it, and the operator of this service can show
         *     the record.
         *
         *     To move the fiscal year or the method of cash flows changes how reports are drawn up, of past
         *     periods too, and no entry.
         */
        post: operations["update-tenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/tenants/link/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link a user and a tenant
         * @description Shows a tenant to one more user of the application: it is in the user's profile from
         *     then on, and the user may connect its company again. Only the application can do this. Consent at a
         *     platform never gives a user the books of somebody else: an authorization of a company that another
         *     user has connected ends in `company_connected_by_another_user`, until the application links the
         *     tenant to this user too.
         *
         *     To link what is linked already changes nothing. A tenant that is disconnected can be linked. A user
         *     or a tenant of another application is answered like one that does not exist.
         */
        post: operations["link-tenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/tenants/unlink/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unlink a user and a tenant
         * @description Ends what linking began: the tenant leaves the user's profile, and the user can
         *     neither connect it again nor change its settings. Nothing else changes: what was posted and
         *     scheduled stays, and so does the connection to its platform. The last user can be unlinked too; the
         *     application goes on posting by the prefix, which it should keep, and can link another user.
         *
         *     To unlink what is not linked changes nothing. A user or a tenant of another application is answered
         *     like one that does not exist.
         */
        post: operations["unlink-tenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/tenants/imports/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get tenant import
         * @description Returns how the import of a tenant's company stands: how much of it is here, what
         *     was left out and why, what was assumed, which imported journals are others at the platform by now,
         *     and what happens next and when. A tenant that keeps its own books has no import: `import` is
         *     null.
         *
         *     Ask every few seconds while `next.action` is `continues`, and at `next.at` if it is
         *     `retries`: then `next.reason` says why nobody works at the import. Every other one says who can
         *     do something: the company's user, your application, or the operator of this service.
         */
        get: operations["get-tenant-import"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/tenants/import/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request import
         * @description Asks for what is new at the platform of a connected tenant. After an import that
         *     ended well only what was made or changed since then is asked for, where the platform offers that;
         *     otherwise everything, and what is here already is not recorded twice. Everything is asked for too
         *     where journals were refused as `period_locked` and the lock has been moved back since. Journals
         *     that were edited or voided at the platform after their import are reported, and stay as they were
         *     imported.
         *
         *     It starts within seconds; get-tenant-import shows how it goes. While an import is under way, or
         *     waits for the platform, and for a minute after one has ended (`finished_at`), another one is not
         *     asked for: `requested` is false, and the reply shows the one that there is. So the request can be
         *     sent again without harm. But each import costs calls at the platform, which limits them by minute
         *     and by day: ask for one when something may be new, and not all the time.
         *
         *     A tenant without a connection is refused as `tenant_not_connected`: one that keeps its own books,
         *     and one that is disconnected, until its company is connected again.
         */
        post: operations["request-import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/tenants/disconnect/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disconnect tenant
         * @description Gives the access to the company back at its platform and forgets the tokens. An
         *     import that is under way ends. What was imported stays, and entries can be posted as before; to
         *     import again, connect the company again. QuickBooks demands that an application offers this to its
         *     users.
         *
         *     At Xero the connection of this company alone ends. At Zoho and QuickBooks the platform ends the
         *     grant that this connection has.
         *
         *     To disconnect what is disconnected already changes nothing. Where the platform fails or is too slow,
         *     the tokens are kept, since nothing else can give the access back: send the request again after as
         *     many seconds as `Retry-After` says, until it succeeds. An import that was under way has ended all
         *     the same, and its tenant shows as `disconnected` then.
         */
        post: operations["disconnect-tenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/accounts/list/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List accounts
         * @description Returns a tenant's chart of accounts, in the order of their codes as texts: `10`
         *     comes before `9`. Archived accounts are among them, since older entries name them. To find one
         *     account, ask for its `code`; to post, choose among those of `status=active`.
         *
         *     Read on with `cursor` until `next_cursor` is null. A page ends when `status` or `type` has
         *     left out about 200 accounts; it can be short or empty although there are more. What was there is
         *     never left out or given twice, whatever is added meanwhile.
         */
        get: operations["list-accounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/accounts/create/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create account
         * @description Adds an account to a tenant's chart, to which entries can be posted at once.
         *
         *     An account collects what happened of one kind, and its `type` says where it ends up: assets,
         *     liabilities and equity on the balance sheet, revenue and expenses in profit or loss. The
         *     `subtype` is the line of the statement, one of
         *
         *     - `asset`: `cash`, `receivable`, `inventory`, `current_asset`, `tax_asset`, `investment`, `fixed_asset`, `intangible_asset`, `non_current_asset`, `intercompany`
         *     - `liability`: `payable`, `credit_card`, `current_liability`, `tax_liability`, `debt`, `non_current_liability`, `intercompany`
         *     - `equity`: `contributed_capital`, `distributions`, `retained_earnings`, `other_comprehensive_income`, `suspense`
         *     - `revenue`: `operating_revenue`, `other_income`
         *     - `expense`: `cost_of_sales`, `operating_expense`, `finance_cost`, `other_expense`, `income_tax`
         *
         *     Without one, revenue is `operating_revenue` and an expense `operating_expense`; of assets,
         *     liabilities and equity it stays unknown, and statements list the account last in its section.
         *
         *     `cash_flow` says which section of the statement of cash flows shows the money that comes and goes
         *     against the account: `operating` for daily business, `investing` for what is bought to be kept,
         *     `financing` for what lenders and owners put in and take out. Accounts of the class `cash` are
         *     the money itself, whose movement that statement explains; only assets of the subtype `cash` and
         *     liabilities (an overdraft, say) can be. **Whether an account is cash is decided here, and never
         *     changes**: every entry keeps which of its lines moved cash, and entries never change.
         *
         *     The same account again is answered with `created: false`: every field that the request has is as
         *     it asks for. Where one is not, the code is another account's, and the request is refused as
         *     `account_code_taken`, which names the fields. A code has no blanks at its ends
         *     and at most 64 bytes of UTF-8.
         *     Codes that begin with `ID-` belong to accounts of a platform. A connected tenant can have accounts
         *     of its own beside those of its platform.
         */
        post: operations["create-account"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/accounts/update/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update account
         * @description Changes what the request names of an account, and nothing else: two requests that
         *     change different fields at the same time both count. The code and the type never change, nor does
         *     whether an account is cash, since entries keep which of their lines moved cash
         *     (`cash_flow_is_fixed`). What is changed holds for reports of every period.
         *
         *     To archive an account stops posts to it, and nothing else: what is posted stays in every report,
         *     what is scheduled still posts, and it can be `active` again.
         *
         *     Of an account that comes from a platform, the platform decides the name and the status
         *     (`account_kept_by_platform`): change them there, and import. `subtype` and `cash_flow`
         *     follow from the platform's type when the account is first imported, and imports keep what is set
         *     here.
         */
        post: operations["update-account"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/journal_entries/create/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create journal entry
         * @description Posts one manual journal entry into a tenant of the calling application.
         *
         *     - Each line has exactly one positive side, and total debits equal total credits. An omitted
         *       or empty side is zero. Amounts are decimal strings; a JSON number is taken only where it is
         *       exact. An amount has no more decimals than its currency (none for JPY).
         *     - The exchange rate is the last one that the European Central Bank published on or before
         *       `date`; rates between two other currencies, and towards the euro, are derived from its
         *       figures. The ECB publishes them for information only.
         *     - Reporting amounts are allocated to the lines so that they add up to `reporting_amount`.
         *     - Every entry has book amounts too, in the tenant's currency, in which its books are kept and
         *       reports are made. They are the reporting amounts where that is the reporting currency; else
         *       they are converted at the rate of the same date from the transaction currency. Where there
         *       is none, the entry is refused as `exchange_rate_unavailable`, with the currency in `book`.
         *     - `external_id` is unique for ever within the tenant, and so is an `Idempotency-Key`. A
         *       repeat of either returns the original entry with `Idempotent-Replayed: true`; where its
         *       content differs, `Idempotency-Mismatch` says where.
         *     - `metadata` is part of the entry for ever, and of its hash; it cannot be changed later.
         *     - With `dry_run` all is checked and nothing is written; the reply has no id and no number.
         *     - With an `accrual_date` after today (UTC) the entry is `scheduled`, and posts on that date.
         *     - An entry is never edited or deleted. To correct one, reverse it and post another.
         */
        post: operations["create-journal-entry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/journal_entries/create_many/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create journal entries
         * @description Posts 1 to 25 journal entries into a tenant of the calling
         *     application, all of them or none. It is the way to many entries: those of one date wait for others
         *     only once, so that hundreds of them a second can be posted to it.
         *
         *     - Each entry is as in create-journal-entry, with an `external_id` of its own. They may differ in
         *       dates, currencies, users and in whether they are scheduled. They get their numbers in the order of
         *       the request.
         *     - Where anything is wrong with any of them nothing is posted, and `details` has every problem of
         *       every entry, with pointers such as `/journal_entries/3/entries/1/account`.
         *     - An entry whose `external_id` was used before is not posted again: the original is in its place,
         *       with `replayed` true, and the others are posted. An `Idempotency-Key` stands for all of the
         *       request; one that stands for a single entry is refused here, and one of a request of this kind by
         *       create-journal-entry.
         *     - The header `Idempotent-Replayed` is there only where all of them were recorded before. Where the
         *       content of a repeat differs, `Idempotency-Mismatch` says where.
         *     - All entries together have at most 1,500 lines; beside new
         *       ones, those that were recorded before count with the lines that they have. A request is recorded
         *       in one transaction: entries of many different dates, scheduled ones of as many accrual dates with
         *       an `external_id` each, or entries onto dates that move thousands of accounts, may need more
         *       than one takes. They are refused as `batch_too_large`; send fewer at once.
         *     - With `dry_run` all is checked, and nothing is written.
         */
        post: operations["create-journal-entries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/journal_entries/reverse/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reverse journal entry
         * @description Posts an entry that takes back a posted one: the same lines with debit and credit
         *     swapped, in the same currencies and at the same rates, so that both together come to nothing in each
         *     of them, to the cent. That an account was archived since does not stand in the way. The entry is
         *     named by exactly one of `journal_entry_id`, `journal_number` and `original_external_id`;
         *     `external_id` is the reversal's own.
         *
         *     - An entry is reversed once. A repeat, with whatever key or id, returns the reversal that is there
         *       with `Idempotent-Replayed: true`; where it asks for another one, `Idempotency-Mismatch` says
         *       where.
         *     - `reverses` of the reversal and `reversed_by` of the entry name each other. Nothing else of the
         *       entry changes: it goes on counting on its date, and the reversal counts on its own.
         *     - The reversal counts on the day of the entry or later (`reversal_before_entry`), and not in a
         *       locked period (`period_locked`).
         *     - With an `accrual_date` after today (UTC) the reversal is `scheduled`, and the entry has its
         *       `reversed_by` at once. To cancel the reversal before that day makes the entry as it was: it can
         *       be reversed again, by a request with another `external_id` and `Idempotency-Key`. With one of
         *       those of before it is a repeat, which returns the cancelled reversal.
         *     - A reversal is not reversed itself (`entry_is_a_reversal`): post a new entry. What is scheduled
         *       is cancelled, not reversed (`entry_not_posted`).
         */
        post: operations["reverse-journal-entry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/journal_entries/cancel/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel journal entry
         * @description Cancels a scheduled entry, named by exactly one of `journal_entry_id`,
         *     `journal_number` and `external_id`, so that it never posts.
         *
         *     - The entry stays with its lines, as `cancelled`. Its number, its `external_id` and its
         *       `Idempotency-Key` stay used: a request to create with them returns the cancelled entry, as
         *       one to reverse does where it is a reversal.
         *     - To cancel a scheduled reversal makes the entry that it was to reverse as it was before, which can
         *       then be reversed again.
         *     - A repeat returns the cancelled entry with `Idempotent-Replayed: true`.
         *     - An entry that is posted, be it this moment, is not cancelled (`entry_not_scheduled`): reverse
         *       it.
         */
        post: operations["cancel-journal-entry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/journal_entries/get/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get journal entry
         * @description Returns one entry of a tenant, posted, scheduled or cancelled, by exactly one of its
         *     names: `journal_entry_id`, `journal_number` or `external_id`. With none of them, or with
         *     several, the request is refused with the problem `exactly_one_of`.
         *
         *     An entry that has just been answered is found at once.
         */
        get: operations["get-journal-entry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/journal_entries/list/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List journal entries
         * @description Returns a tenant's entries, posted, scheduled, cancelled and imported ones, in the
         *     order of their `date` and, within a date, of their `journal_number`: the latest first, unless
         *     `order` is `asc`.
         *
         *     With `status=scheduled` the list is that of what is still to be posted: in the order of
         *     `posting_date`, to which `from` and `to` refer then. For what is posted next, ask for it with
         *     `order=asc`.
         *
         *     Read on with `cursor` until `next_cursor` is null. An entry that was there when the first page
         *     was read is never left out or given twice, whatever is posted meanwhile, under whichever date; but
         *     one that no longer has the `status` asked for is not in the list any more. What is posted
         *     meanwhile is in the pages to come where its place is there.
         *
         *     A page has fewer entries than `limit` if they are long, since a reply has a few megabytes at
         *     most. It also ends when `status`, `entry_type` or `account` has left out about a hundred
         *     entries, or fewer long ones. Then it is short or empty although there may be more: read on.
         */
        get: operations["list-journal-entries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/reports/trial_balance/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get trial balance
         * @description Returns, for each account, what it came to before a period (`opening`), what moved
         *     in it (`movement`, gross), and what it comes to at its end (`closing`). Over all accounts,
         *     debits equal credits in each of the three totals.
         *
         *     Entries count on their posting date: `accrual_date` where they have one, else `date`. What is
         *     scheduled does not count. `opening` is cumulative over all years, for revenue and expenses too:
         *     nothing is closed at the end of a year. Archived accounts are in it like others. With `as_of`
         *     everything up to that date is movement, and `opening` is zero. An entry may have a date in the
         *     future: it counts from then on, so ask for an `as_of` or `to` that is as late.
         *
         *     An account whose figures are all zero, those by currency too, has no row, unless it is the one
         *     asked for by `account`. With that the totals are of this one and do not balance, while `digest`
         *     is of all the books. The rows of some 15,000 accounts fit into a reply, and fewer with
         *     `by_currency`; a report of more is refused as `reply_too_large`: leave `by_currency` out, or
         *     ask by `account`.
         *
         *     A post that was answered is in the next report. **Look at `coverage` before you show a report of a
         *     connected tenant: with `journals_only` it is not the company's whole trial balance.**
         *
         *     As csv it has a row for each account, and behind it one for each of its `currencies`; the last one
         *     has the totals. `row_type` says which it is (`account`, `account_in_currency`, `total`), so
         *     that nothing is added up twice, and `currency` what the amounts of the row are in.
         */
        get: operations["get-trial-balance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/reports/account_ledger/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get account ledger
         * @description Returns the lines of an account, with its balance after each of them. Balances are
         *     signed: debit is positive.
         *
         *     `opening_balance`, `closing_balance` and `digest` are those of the moment at which the
         *     page was read. Where nothing is posted meanwhile, each page goes on from the last balance of the
         *     page before, and the last balance of all is `closing_balance`. What comes to count while you page
         *     is never shown by halves: on later dates it is among the lines, and on dates that are behind you, or
         *     on the one on which a page ended, it is in the balance that the next page begins with. Nothing that
         *     was there when you began is left out or shown twice.
         *
         *     Every date's lines are compared with the totals that the ledger keeps of the date. Where they
         *     differ, the reply is `internal_error` and the operator is called: you never get a wrong figure.
         *
         *     **Look at `coverage` before you show the ledger of a connected tenant: with `journals_only`,
         *     invoices, bills, payments and bank transactions of the platform are not in it.**
         *
         *     As csv it has a row for each line. `row_type` says what a row is: `opening_balance`, in the
         *     first row of the first page, `line`, or `closing_balance`, in the last row of the last page. So
         *     the pages, put together without their further header lines, are the ledger of the whole period. The
         *     `cursor` of the next page is in the header `Next-Cursor`.
         */
        get: operations["get-account-ledger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/reports/balance_sheet/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get balance sheet
         * @description Returns what the company owns (`assets`), what it owes (`liabilities`) and what
         *     is left for its owners (`equity`) at the end of a posting date. Assets are always liabilities and
         *     equity to the cent; where the books would say otherwise, the reply is `internal_error` and the
         *     operator is called.
         *
         *     Each part has the sign that is natural to it: an asset is positive for a debit, a liability and
         *     equity for a credit. What reduces its part, such as accumulated depreciation or dividends, is
         *     negative.
         *
         *     Nothing is closed at the end of a fiscal year. Profit is part of equity without a posting:
         *     `current_year_earnings` is that of the fiscal year which `as_of` is in, and
         *     `retained_earnings_computed` that of all years before. What is posted to accounts of the subtype
         *     `retained_earnings` is a section beside them, so do not post closing entries.
         *
         *     The sections stand in the order of the subtypes, and a last one with the subtype null has the
         *     accounts without one. An account whose balance is zero has no row; archived accounts are in it like
         *     others. Accounts are classified as the chart has them now, on earlier dates too. Entries count on
         *     their posting date, and what is scheduled does not count.
         *
         *     **Look at `coverage` before you show the balance sheet of a connected tenant: with
         *     `journals_only` it is not the company's.**
         *
         *     As csv it has a row for each account and each figure. `section` is its name in JSON, behind that
         *     of the part that it is in, as in `equity.current_year_earnings`. `row_type` is `account`,
         *     `subtype_total`, `total` of a part, or `figure` for what is none of these.
         */
        get: operations["get-balance-sheet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/reports/profit_and_loss/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get profit and loss
         * @description Returns what the company earned in a period and what that cost, section by section
         *     down to `profit`. Without `from` the period begins with the fiscal year that `to` is in, so
         *     without either it is the fiscal year to date.
         *
         *     Each section has the sign that is natural to it: revenue and income are positive for a credit, costs
         *     and expenses for a debit. What reduces its section is negative, such as discounts in revenue or an
         *     exchange gain in expenses.
         *
         *     The sections are those of the accounts' subtypes; revenue without one is operating revenue, and an
         *     expense without one an operating expense. An account that comes to nothing in the period has no row;
         *     archived accounts are in it like others. Accounts are classified as the chart has them now, in
         *     earlier periods too. Entries count on their posting date, and what is scheduled does not count.
         *
         *     The profits of periods that follow each other add up to that of the whole, and that of the fiscal
         *     year to date is the `current_year_earnings` of the balance sheet.
         *
         *     **Look at `coverage` before you show the profit of a connected tenant: with `journals_only` it
         *     is not the company's.**
         *
         *     As csv it has a row for each account and each figure. `section` is its name in JSON. `row_type`
         *     is `account`, `total` of a section, or `figure` for a profit.
         */
        get: operations["get-profit-and-loss"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/v1/reports/cash_flow/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get cash flow
         * @description Returns what moved the company's cash in a period: `operating`, `investing` and
         *     `financing` cash flows, the effect of exchange rates, and what is `unclassified`. What flows in
         *     is positive. Without `from` the period begins with the fiscal year that `to` is in.
         *
         *     **The statement always comes to the cash accounts**: `opening_cash` and all flows are
         *     `closing_cash` to the cent, and `cash_accounts` shows of which accounts. Where the books would
         *     say otherwise, the reply is `internal_error` and the operator is called. In an entry that touches
         *     cash, credit less debit of every other line is a flow of that line's account, in the section of its
         *     `cash_flow`; what touches no cash is in none. So a machine on credit is no outflow until it is
         *     paid for, and the payment is a flow of the account that was debited then: let suppliers of machines
         *     have a payable of class `investing`.
         *
         *     The methods differ in the operating section alone, and not in its total. `direct` has the flows by
         *     account. `indirect` begins with profit, takes out what is of other sections, and adds the
         *     movements of operating accounts of the balance sheet.
         *
         *     - Accumulated depreciation and amortisation (a fixed or intangible asset whose normal balance is
         *       credit) is investing in an entry that touches cash, as part of a disposal, whatever its class.
         *       Without cash it is among the `movements`: that adds depreciation back to profit.
         *     - Exchange differences (the account of the default chart for them) in an entry that touches cash are
         *       `effect_of_exchange_rates` and in no section. Those of other entries, such as the valuation of a
         *       receivable at the end of a month, are no flow.
         *     - An account has one figure, of what it received less what it paid: of a loan account what was taken
         *       up less what was repaid. Keep receipts and payments that have to be shown apart (IAS 7.21) in
         *       accounts of their own.
         *     - Opening balances that are posted in one entry with cash are flows of that entry's other accounts:
         *       begin the first period on the day after.
         *
         *     An account of which there is nothing to show has no row; archived accounts are in it like others.
         *     Accounts are classified as the chart has them now, in earlier periods too. Entries count on their
         *     posting date, and what is scheduled does not count.
         *
         *     **Look at `coverage` before you show the cash flow of a connected tenant: with
         *     `journals_only` it is not the company's.**
         *
         *     As csv it has a row for each account and each figure, the accounts of `opening_cash` and
         *     `closing_cash` among them. `section` is its name in JSON, behind that of what it is in, as in
         *     `operating.movements`. `row_type` is `account`, `total` of a section, or `figure` for what
         *     is neither.
         */
        get: operations["get-cash-flow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        EnsureUserRequest: {
            /**
             * Format: email
             * @description Email address, in ASCII. It is trimmed, and compared without regard to case.
             */
            email: string;
            /** @description The initial password, of any characters, not all of them blank or invisible. It is kept as a hash, never returned. */
            password: string;
            /** @description Given name. */
            first_name: string;
            /** @description Family name. */
            last_name: string;
        };
        EnsureUserReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["EnsuredUser"];
        };
        /** @description A user that is there now. */
        EnsuredUser: {
            /** @description Id of the user: an integer of at most 53 bits, as decimal digits. */
            user_id: string;
            /** @description The address as it was registered first. */
            email: string;
            /** @description Whether this request created the user. */
            created: boolean;
        };
        GetUserProfileRequest: {
            /**
             * Format: email
             * @description Address of the user. It is trimmed, and compared without regard to case.
             */
            email: string;
            /** @description `next_cursor` of the previous page. Send the same query; only `limit` may change. Omit it for the first page. */
            cursor?: string | null;
        };
        GetUserProfileReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["UserProfile"];
        };
        /** @description A user with its tenants. */
        UserProfile: {
            /** @description Id of the user: an integer of at most 53 bits, as decimal digits. */
            user_id: string;
            /** @description The address as it was registered first. */
            email: string;
            /** @description Number of all linked tenants; on further pages, as of the first one. */
            tenant_count: number;
            /** @description At most 100 linked tenants, oldest first. If there are more, pages are in the order of `schema_name`, and each page has its oldest first. */
            tenants: components["schemas"]["TenantSummary"][];
            /** @description Pass it as `cursor` to get the next page. Null on the last page. If it is not null, there may be more items, even if this page is short or empty. */
            next_cursor: string | null;
        };
        /** @description A tenant, with the status of its import. */
        TenantSummary: {
            /** @description Subdomain prefix of the tenant. Send it as `domain_url` in requests. */
            tenant_domain_url: string;
            /** @description The prefix with underscores: the tenant's schema name. */
            schema_name: string;
            /** @description `manual`, or the accounting platform that the tenant is connected to. */
            platform: string;
            /** @description Name of the company. */
            company_name: string;
            /** @description ISO 4217 code of the book currency. */
            currency: string;
            /**
             * @description Method of the statement of cash flows.
             * @enum {string}
             */
            cash_flow_method: "direct" | "indirect";
            /** @description Last day of the fiscal year, MM-DD. `02-29` is the last day of February. */
            financial_year_end: string;
            /**
             * Format: date
             * @description Last day of the locked period; null if there has never been a lock.
             */
            lock_date: string | null;
            /**
             * Format: date-time
             * @description From then on, nothing is posted into the locked period (UTC); null without a lock.
             */
            locked_from: string | null;
            /**
             * @description `importing`: the accounts and journals of the platform are being imported, or the import waits for a retry. `import_failed`: the import has failed and is not retried. `disconnected`: our access to the platform has ended. `pending`: confirm-tenant has not confirmed the connection yet; until then, the name and the currency are hidden and other requests do not find the tenant.
             * @enum {string}
             */
            status: "active" | "importing" | "import_failed" | "disconnected" | "pending";
            /**
             * @description Why the tenant's import or connection has a problem; null if it has none.
             *
             *     - `rate_limited`, `platform_unavailable`, `platform_timed_out`: the last failure of the
             *       import. While the tenant is importing, the import is retried automatically, as soon as the
             *       platform allows or after growing pauses. Once the import has failed, call request-import.
             *     - `internal_error`: a fault in this service, retried in the same way. Once the import has failed,
             *       contact the service operator.
             *     - `credentials_refused`: the platform has ended our access. Connect the company again.
             *     - `disconnected_by_application`: the application called disconnect-tenant.
             *     - `disconnected_by_operator`: the service operator disconnected the tenant.
             *     - `company_not_found`: we have lost access to the company. Connect it again.
             *     - `subscription_lapsed`: the company's subscription to the platform has ended. Renew it, then call
             *       request-import.
             *     - `records_refused`: the tenant is active, but some accounts or journals of the platform could not
             *       be imported. Get-tenant-import lists them.
             *     - `company_currency_changed`, `reply_not_understood`, `reply_too_large`,
             *       `page_did_not_advance`, `gave_up`: the import has ended. Contact the service operator.
             */
            status_reason: string | null;
            /**
             * Format: date-time
             * @description Deadline for the user to connect the company again (UTC). The platform ends the
             *     access then: QuickBooks does so five years after consent. Null if the platform has no deadline or
             *     the company is not connected.
             */
            reconnect_by: string | null;
            /**
             * Format: date-time
             * @description When the tenant was created (UTC).
             */
            created_at: string;
        };
        InitiateOauthReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["InitiateOauthData"];
        };
        InitiateOauthData: {
            /**
             * Format: uri
             * @description The platform's consent page, for the browser.
             */
            authorization_url: string;
        };
        ConfirmTenantRequest: {
            /** @description The tenant, as the browser brought it to the `redirect_url`. */
            domain_url: string;
            /** @description The user of the session in which the browser arrived: its id, or its digits. */
            user_id: number | string;
            /** @description The `confirmation_code` that the same browser brought. */
            confirmation_code: string;
        };
        ConfirmTenantReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["TenantSummary"];
        };
        /** @description The fields depend on `platform`. */
        CreateTenantRequest: components["schemas"]["CreateTenantRequestManual"] | components["schemas"]["CreateTenantRequestPlatformA"] | components["schemas"]["CreateTenantRequestPlatformB"] | components["schemas"]["CreateTenantRequestPlatformC"];
        CreateTenantRequestManual: {
            /** @description The user that owns the tenant: its id, as an integer or as its digits. */
            user_id: number | string;
            /**
             * @description The accounting platform that the tenant is linked to, or `manual`. A deployment may give its platforms other names. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            platform: "manual";
            /**
             * @description Method of its statement of cash flows.
             * @enum {string}
             */
            cash_flow_method: "direct" | "indirect";
            /** @description Name of the company. */
            company_name: string;
            /** @description The company's currency, an ISO 4217 code such as EUR. */
            currency: string;
        };
        CreateTenantRequestPlatformA: {
            /** @description The user that owns the tenant: its id, as an integer or as its digits. */
            user_id: number | string;
            /**
             * @description The accounting platform that the tenant is linked to, or `manual`. A deployment may give its platforms other names. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            platform: "platform_a";
            /**
             * @description Method of its statement of cash flows.
             * @enum {string}
             */
            cash_flow_method: "direct" | "indirect";
            /** @description Name of the company. */
            company_name?: string | null;
            /** @description The company's currency, an ISO 4217 code such as EUR. */
            currency?: string | null;
            /** @description The platform's access token. */
            access_token: string;
            /** @description The platform's refresh token. */
            refresh_token: string;
            /** @description Accepted for clients that send it: the service renews the tokens at once. */
            expires_in?: number | null;
            /** @description Id of the company at the platform: Xero's tenantId, QuickBooks' realmId, Zoho's organization_id. */
            platform_company_id: string;
        };
        CreateTenantRequestPlatformB: {
            /** @description The user that owns the tenant: its id, as an integer or as its digits. */
            user_id: number | string;
            /**
             * @description The accounting platform that the tenant is linked to, or `manual`. A deployment may give its platforms other names. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            platform: "platform_b";
            /**
             * @description Method of its statement of cash flows.
             * @enum {string}
             */
            cash_flow_method: "direct" | "indirect";
            /** @description Name of the company. */
            company_name?: string | null;
            /** @description The company's currency, an ISO 4217 code such as EUR. */
            currency?: string | null;
            /** @description The platform's access token. */
            access_token: string;
            /** @description The platform's refresh token. */
            refresh_token: string;
            /** @description Accepted for clients that send it: the service renews the tokens at once. */
            expires_in?: number | null;
            /** @description Id of the company at the platform: Xero's tenantId, QuickBooks' realmId, Zoho's organization_id. */
            platform_company_id: string;
        };
        CreateTenantRequestPlatformC: {
            /** @description The user that owns the tenant: its id, as an integer or as its digits. */
            user_id: number | string;
            /**
             * @description The accounting platform that the tenant is linked to, or `manual`. A deployment may give its platforms other names. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            platform: "platform_c";
            /**
             * @description Method of its statement of cash flows.
             * @enum {string}
             */
            cash_flow_method: "direct" | "indirect";
            /** @description Name of the company. */
            company_name: string;
            /** @description The company's currency, an ISO 4217 code such as EUR. */
            currency: string;
            /** @description The platform's access token. */
            access_token?: string | null;
            /** @description The platform's refresh token. */
            refresh_token?: string | null;
            /** @description Accepted for clients that send it: the service renews the tokens at once. */
            expires_in?: number | null;
            /** @description Id of the company at the platform: Xero's tenantId, QuickBooks' realmId, Zoho's organization_id. */
            platform_company_id?: string | null;
            /**
             * @description Data center of Zoho that keeps the company; `us` if left out.
             * @enum {string|null}
             */
            data_center?: "us" | "eu" | "in" | "au" | "jp" | "ca" | "sa" | "ae" | "cn" | "uk" | null;
        };
        CreateTenantReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["TenantReference"];
        };
        /** @description The names of a tenant, and its platform. */
        TenantReference: {
            /** @description Subdomain prefix of the tenant. Send it as `domain_url` in requests. */
            tenant_domain_url: string;
            /** @description The prefix with underscores: the tenant's schema name. */
            schema_name: string;
            /** @description `manual`, or the accounting platform that the tenant is connected to. */
            platform: string;
        };
        UpdateTenantRequest: {
            /** @description The tenant: its subdomain prefix or its full domain, in any case. */
            domain_url: string;
            /**
             * Format: date
             * @description The last day of the locked period: nothing more is posted to it or to a day before it. It must be over (UTC).
             */
            lock_date?: string | null;
            /** @description The last day of its fiscal year, MM-DD. `02-29` is the last day of February. */
            financial_year_end?: string | null;
            /**
             * @description Method of its statement of cash flows.
             * @enum {string|null}
             */
            cash_flow_method?: "direct" | "indirect" | null;
            /** @description Name of the company. The prefix stays as it is. */
            company_name?: string | null;
        };
        UpdateTenantReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["TenantSummary"];
        };
        LinkTenantRequest: {
            /** @description The user to link: its id, as an integer or as its digits. */
            user_id: number | string;
            /** @description The tenant: its subdomain prefix or its full domain, in any case. */
            domain_url: string;
        };
        LinkTenantReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["LinkTenantData"];
        };
        LinkTenantData: {
            /** @description Id of the user, as decimal digits. */
            user_id: string;
            /** @description Subdomain prefix of the tenant. */
            tenant_domain_url: string;
            /** @description Whether the tenant is linked to the user now. */
            linked: boolean;
        };
        UnlinkTenantRequest: {
            /** @description The user to unlink: its id, as an integer or as its digits. */
            user_id: number | string;
            /** @description The tenant: its subdomain prefix or its full domain, in any case. */
            domain_url: string;
        };
        UnlinkTenantReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["UnlinkTenantData"];
        };
        UnlinkTenantData: {
            /** @description Id of the user, as decimal digits. */
            user_id: string;
            /** @description Subdomain prefix of the tenant. */
            tenant_domain_url: string;
            /** @description Whether the tenant is linked to the user now. */
            linked: boolean;
        };
        GetTenantImportReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["TenantImport"];
        };
        /** @description A tenant and its import. */
        TenantImport: {
            /** @description Subdomain prefix of the tenant. Send it as `domain_url` in requests. */
            tenant_domain_url: string;
            /** @description The prefix with underscores: the tenant's schema name. */
            schema_name: string;
            /** @description `manual`, or the accounting platform that the tenant is connected to. */
            platform: string;
            /**
             * @description `importing`: the accounts and journals of the platform are being imported, or the import waits for a retry. `import_failed`: the import has failed and is not retried. `disconnected`: our access to the platform has ended. `pending`: confirm-tenant has not confirmed the connection yet; until then, the name and the currency are hidden and other requests do not find the tenant.
             * @enum {string}
             */
            status: "active" | "importing" | "import_failed" | "disconnected" | "pending";
            /**
             * @description Why the tenant's import or connection has a problem; null if it has none.
             *
             *     - `rate_limited`, `platform_unavailable`, `platform_timed_out`: the last failure of the
             *       import. While the tenant is importing, the import is retried automatically, as soon as the
             *       platform allows or after growing pauses. Once the import has failed, call request-import.
             *     - `internal_error`: a fault in this service, retried in the same way. Once the import has failed,
             *       contact the service operator.
             *     - `credentials_refused`: the platform has ended our access. Connect the company again.
             *     - `disconnected_by_application`: the application called disconnect-tenant.
             *     - `disconnected_by_operator`: the service operator disconnected the tenant.
             *     - `company_not_found`: we have lost access to the company. Connect it again.
             *     - `subscription_lapsed`: the company's subscription to the platform has ended. Renew it, then call
             *       request-import.
             *     - `records_refused`: the tenant is active, but some accounts or journals of the platform could not
             *       be imported. Get-tenant-import lists them.
             *     - `company_currency_changed`, `reply_not_understood`, `reply_too_large`,
             *       `page_did_not_advance`, `gave_up`: the import has ended. Contact the service operator.
             */
            status_reason: string | null;
            /**
             * Format: date-time
             * @description Deadline for the user to connect the company again (UTC). The platform ends the
             *     access then: QuickBooks does so five years after consent. Null if the platform has no deadline or
             *     the company is not connected.
             */
            reconnect_by: string | null;
            /** @description The last requested import; null if none was ever requested. */
            import: components["schemas"]["Import"] | null;
            next: {
                /**
                 * @description What happens next:
                 *
                 *     - `continues`: the import is running. Check again later.
                 *     - `retries`: the import is paused for the given `reason`. It continues automatically, at `at`
                 *       or later. You need do nothing.
                 *     - `request_import`: the import failed because the platform was unavailable, limited our requests
                 *       or was not paid for; or it is complete except for some records. Once the cause is resolved, or
                 *       the records are corrected on the platform, call request-import.
                 *     - `connect_again`: the user must give consent again. Call initiate-oauth.
                 *     - `ask_operator`: only the service operator can help.
                 *     - `none`: nothing. The platform's records are here.
                 * @enum {string}
                 */
                action: "continues" | "retries" | "request_import" | "connect_again" | "ask_operator" | "none";
                at: string | null;
                /**
                 * @description Why the import is paused if `action` is `retries`; otherwise null:
                 *
                 *     - `run_stopped`: the run stopped unexpectedly. Another run continues the import.
                 *     - `start_delayed`: the import was requested more than a minute ago and has not started, usually
                 *       because of other imports. It starts when its turn comes; the service checks on it at `at` at
                 *       the latest.
                 *     - `application_suspended`: your application was suspended. The import continues after that.
                 *     - any other: the `reason` of the import.
                 */
                reason: string | null;
            };
        };
        /** @description The last requested import of a company’s accounts and journals. */
        Import: {
            /** @description Id of the import. Every requested import has its own. */
            import_id: string;
            /**
             * @description `complete`: the import reads all records of the platform. `incremental`: it reads only records created or changed since `modified_since`.
             * @enum {string}
             */
            kind: "complete" | "incremental";
            /**
             * @description `waiting`: the import waits before it calls the platform again. `complete` and `failed`: the import has ended.
             * @enum {string}
             */
            state: "requested" | "running" | "waiting" | "complete" | "failed";
            /** @description Why the import waits, has failed, or is complete except for some records: one of the reasons listed under `status_reason`. Otherwise null. */
            reason: string | null;
            modified_since: string | null;
            /**
             * Format: date-time
             * @description When the import was requested (UTC).
             */
            requested_at: string;
            /**
             * Format: date-time
             * @description When the import last made progress (UTC).
             */
            progressed_at: string;
            finished_at: string | null;
            /** @description Number of accounts imported. */
            accounts_imported: number;
            /** @description Number of journals imported; while the import runs, the number so far. */
            journals_imported: number;
            /** @description Number of accounts that cannot be imported. */
            accounts_refused: number;
            /** @description Number of journals that cannot be imported. */
            journals_refused: number;
            /** @description Number of refused accounts and journals for each reason. */
            refused_by_reason: {
                [key: string]: number;
            };
            /** @description The first refused records. `reference` is the platform's own id, or the position in the list if the record has no id. `field` is the field at fault, if known. Correct the records on the platform, then call request-import. */
            refused: {
                /** @enum {string} */
                kind: "account" | "journal";
                reference: string;
                reason: string;
                field: string | null;
            }[];
            /** @description The first records for which the import assumed something: the account type, if the platform's type is unknown, or the account of a tax. */
            assumptions: {
                /** @enum {string} */
                kind: "account" | "journal";
                reference: string;
                /** @enum {string} */
                assumption: "account_type_assumed" | "tax_clearing_used";
                field: string | null;
            }[];
            /** @description Number of assumptions. */
            assumption_count: number;
            /** @description The first journals that were edited or voided on the platform after they were imported. The imported journals do not change. */
            changes: {
                reference: string;
                /** @enum {string} */
                change: "edited" | "voided";
            }[];
            /** @description Number of changes; a lower bound if there are more than `changes` lists. */
            change_count: number;
        };
        RequestImportRequest: {
            /** @description The tenant: its subdomain prefix or its full domain, in any case. */
            domain_url: string;
        };
        RequestImportReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["RequestedImport"];
        };
        /** @description A tenant with its import, which was asked for now or before. */
        RequestedImport: {
            /** @description Subdomain prefix of the tenant. Send it as `domain_url` in requests. */
            tenant_domain_url: string;
            /** @description The prefix with underscores: the tenant's schema name. */
            schema_name: string;
            /** @description `manual`, or the accounting platform that the tenant is connected to. */
            platform: string;
            /**
             * @description `importing`: the accounts and journals of the platform are being imported, or the import waits for a retry. `import_failed`: the import has failed and is not retried. `disconnected`: our access to the platform has ended. `pending`: confirm-tenant has not confirmed the connection yet; until then, the name and the currency are hidden and other requests do not find the tenant.
             * @enum {string}
             */
            status: "active" | "importing" | "import_failed" | "disconnected" | "pending";
            /**
             * @description Why the tenant's import or connection has a problem; null if it has none.
             *
             *     - `rate_limited`, `platform_unavailable`, `platform_timed_out`: the last failure of the
             *       import. While the tenant is importing, the import is retried automatically, as soon as the
             *       platform allows or after growing pauses. Once the import has failed, call request-import.
             *     - `internal_error`: a fault in this service, retried in the same way. Once the import has failed,
             *       contact the service operator.
             *     - `credentials_refused`: the platform has ended our access. Connect the company again.
             *     - `disconnected_by_application`: the application called disconnect-tenant.
             *     - `disconnected_by_operator`: the service operator disconnected the tenant.
             *     - `company_not_found`: we have lost access to the company. Connect it again.
             *     - `subscription_lapsed`: the company's subscription to the platform has ended. Renew it, then call
             *       request-import.
             *     - `records_refused`: the tenant is active, but some accounts or journals of the platform could not
             *       be imported. Get-tenant-import lists them.
             *     - `company_currency_changed`, `reply_not_understood`, `reply_too_large`,
             *       `page_did_not_advance`, `gave_up`: the import has ended. Contact the service operator.
             */
            status_reason: string | null;
            /**
             * Format: date-time
             * @description Deadline for the user to connect the company again (UTC). The platform ends the
             *     access then: QuickBooks does so five years after consent. Null if the platform has no deadline or
             *     the company is not connected.
             */
            reconnect_by: string | null;
            /** @description The last requested import; null if none was ever requested. */
            import: components["schemas"]["Import"] | null;
            next: {
                /**
                 * @description What happens next:
                 *
                 *     - `continues`: the import is running. Check again later.
                 *     - `retries`: the import is paused for the given `reason`. It continues automatically, at `at`
                 *       or later. You need do nothing.
                 *     - `request_import`: the import failed because the platform was unavailable, limited our requests
                 *       or was not paid for; or it is complete except for some records. Once the cause is resolved, or
                 *       the records are corrected on the platform, call request-import.
                 *     - `connect_again`: the user must give consent again. Call initiate-oauth.
                 *     - `ask_operator`: only the service operator can help.
                 *     - `none`: nothing. The platform's records are here.
                 * @enum {string}
                 */
                action: "continues" | "retries" | "request_import" | "connect_again" | "ask_operator" | "none";
                at: string | null;
                /**
                 * @description Why the import is paused if `action` is `retries`; otherwise null:
                 *
                 *     - `run_stopped`: the run stopped unexpectedly. Another run continues the import.
                 *     - `start_delayed`: the import was requested more than a minute ago and has not started, usually
                 *       because of other imports. It starts when its turn comes; the service checks on it at `at` at
                 *       the latest.
                 *     - `application_suspended`: your application was suspended. The import continues after that.
                 *     - any other: the `reason` of the import.
                 */
                reason: string | null;
            };
            /** @description Whether this request has asked for the import; false where one was under way or has just ended. */
            requested: boolean;
        };
        DisconnectTenantRequest: {
            /** @description The tenant: its subdomain prefix or its full domain, in any case. */
            domain_url: string;
        };
        DisconnectTenantReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["DisconnectedTenant"];
        };
        /** @description A tenant that holds no access to a platform. */
        DisconnectedTenant: {
            /** @description Subdomain prefix of the tenant. Send it as `domain_url` in requests. */
            tenant_domain_url: string;
            /** @description The prefix with underscores: the tenant's schema name. */
            schema_name: string;
            /** @description `manual`, or the accounting platform that the tenant is connected to. */
            platform: string;
            /**
             * @description `importing`: the accounts and journals of the platform are being imported, or the import waits for a retry. `import_failed`: the import has failed and is not retried. `disconnected`: our access to the platform has ended. `pending`: confirm-tenant has not confirmed the connection yet; until then, the name and the currency are hidden and other requests do not find the tenant.
             * @enum {string}
             */
            status: "active" | "importing" | "import_failed" | "disconnected" | "pending";
            /**
             * @description Why the tenant's import or connection has a problem; null if it has none.
             *
             *     - `rate_limited`, `platform_unavailable`, `platform_timed_out`: the last failure of the
             *       import. While the tenant is importing, the import is retried automatically, as soon as the
             *       platform allows or after growing pauses. Once the import has failed, call request-import.
             *     - `internal_error`: a fault in this service, retried in the same way. Once the import has failed,
             *       contact the service operator.
             *     - `credentials_refused`: the platform has ended our access. Connect the company again.
             *     - `disconnected_by_application`: the application called disconnect-tenant.
             *     - `disconnected_by_operator`: the service operator disconnected the tenant.
             *     - `company_not_found`: we have lost access to the company. Connect it again.
             *     - `subscription_lapsed`: the company's subscription to the platform has ended. Renew it, then call
             *       request-import.
             *     - `records_refused`: the tenant is active, but some accounts or journals of the platform could not
             *       be imported. Get-tenant-import lists them.
             *     - `company_currency_changed`, `reply_not_understood`, `reply_too_large`,
             *       `page_did_not_advance`, `gave_up`: the import has ended. Contact the service operator.
             */
            status_reason: string | null;
            /**
             * @description What became of the access at the platform:
             *
             *     - `given_back`: the platform has ended it just now.
             *     - `had_ended`: the platform had ended it before; we have forgotten the tokens.
             *     - `none_held`: there were no tokens: the tenant was disconnected before, or never connected.
             * @enum {string}
             */
            access: "given_back" | "had_ended" | "none_held";
        };
        ListAccountsReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["AccountPage"];
        };
        /** @description A page of a chart of accounts. */
        AccountPage: {
            /** @description The accounts in the order of their codes. */
            accounts: components["schemas"]["Account"][];
            /** @description Pass it as `cursor` to get the next page. Null on the last page. If it is not null, there may be more items, even if this page is short or empty. */
            next_cursor: string | null;
        };
        /** @description An account in a tenant's chart of accounts. */
        Account: {
            /** @description Code of the account. Journal lines refer to the account by it. */
            code: string;
            /** @description Name of the account. */
            name: string;
            /**
             * @description Decides which statement shows the account.
             * @enum {string}
             */
            type: "asset" | "liability" | "equity" | "revenue" | "expense";
            /** @description Line of the statement that shows the account; null if unknown. */
            subtype: ("cash" | "receivable" | "inventory" | "current_asset" | "tax_asset" | "investment" | "fixed_asset" | "intangible_asset" | "non_current_asset" | "intercompany" | "payable" | "credit_card" | "current_liability" | "tax_liability" | "debt" | "non_current_liability" | "contributed_capital" | "distributions" | "retained_earnings" | "other_comprehensive_income" | "suspense" | "operating_revenue" | "other_income" | "cost_of_sales" | "operating_expense" | "finance_cost" | "other_expense" | "income_tax") | null;
            /**
             * @description Side that increases the balance. A contra account has the opposite side.
             * @enum {string}
             */
            normal_balance: "debit" | "credit";
            /** @description Section of the statement of cash flows for cash that moves against this account. `cash`: the account is cash. Null: cash never moves against it. */
            cash_flow: ("operating" | "investing" | "financing" | "cash") | null;
            /**
             * @description `archived`: nothing can be posted to the account.
             * @enum {string}
             */
            status: "active" | "archived";
            /** @description Id on the tenant's platform; null if the account was not imported. */
            platform_account_id: string | null;
        };
        CreateAccountRequest: {
            /** @description The tenant: its subdomain prefix or its full domain, in any case. */
            domain_url: string;
            /** @description Its code, which no other account of the tenant has. It never changes. */
            code: string;
            /** @description What it is called. */
            name: string;
            /**
             * @description What it is. It never changes.
             * @enum {string}
             */
            type: "asset" | "liability" | "equity" | "revenue" | "expense";
            /**
             * @description The line of a statement that shows it, one of those of its type.
             * @enum {string|null}
             */
            subtype?: "cash" | "receivable" | "inventory" | "current_asset" | "tax_asset" | "investment" | "fixed_asset" | "intangible_asset" | "non_current_asset" | "intercompany" | "payable" | "credit_card" | "current_liability" | "tax_liability" | "debt" | "non_current_liability" | "contributed_capital" | "distributions" | "retained_earnings" | "other_comprehensive_income" | "suspense" | "operating_revenue" | "other_income" | "cost_of_sales" | "operating_expense" | "finance_cost" | "other_expense" | "income_tax" | null;
            /**
             * @description The side on which it grows. Without it, `debit` for assets and expenses and `credit` for the others. Contra accounts have the other one: accumulated depreciation, say.
             * @enum {string|null}
             */
            normal_balance?: "debit" | "credit" | null;
            /**
             * @description The section of the statement of cash flows that shows what moves cash against it, or `cash`. Without it, what is usual for its type and subtype.
             * @enum {string|null}
             */
            cash_flow?: "operating" | "investing" | "financing" | "cash" | null;
        };
        CreateAccountReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["CreatedAccount"];
        };
        /** @description An account, and whether it was made just now. */
        CreatedAccount: {
            /** @description Code of the account. Journal lines refer to the account by it. */
            code: string;
            /** @description Name of the account. */
            name: string;
            /**
             * @description Decides which statement shows the account.
             * @enum {string}
             */
            type: "asset" | "liability" | "equity" | "revenue" | "expense";
            /** @description Line of the statement that shows the account; null if unknown. */
            subtype: ("cash" | "receivable" | "inventory" | "current_asset" | "tax_asset" | "investment" | "fixed_asset" | "intangible_asset" | "non_current_asset" | "intercompany" | "payable" | "credit_card" | "current_liability" | "tax_liability" | "debt" | "non_current_liability" | "contributed_capital" | "distributions" | "retained_earnings" | "other_comprehensive_income" | "suspense" | "operating_revenue" | "other_income" | "cost_of_sales" | "operating_expense" | "finance_cost" | "other_expense" | "income_tax") | null;
            /**
             * @description Side that increases the balance. A contra account has the opposite side.
             * @enum {string}
             */
            normal_balance: "debit" | "credit";
            /** @description Section of the statement of cash flows for cash that moves against this account. `cash`: the account is cash. Null: cash never moves against it. */
            cash_flow: ("operating" | "investing" | "financing" | "cash") | null;
            /**
             * @description `archived`: nothing can be posted to the account.
             * @enum {string}
             */
            status: "active" | "archived";
            /** @description Id on the tenant's platform; null if the account was not imported. */
            platform_account_id: string | null;
            /** @description Whether this request made the account; false where it was there. */
            created: boolean;
        };
        UpdateAccountRequest: {
            /** @description The tenant: its subdomain prefix or its full domain, in any case. */
            domain_url: string;
            /** @description The code of the account. */
            code: string;
            /** @description What it is called from now on. Entries keep the name that it had. */
            name?: string | null;
            /**
             * @description `archived`: nothing more can be posted to it; or `active`.
             * @enum {string|null}
             */
            status?: "active" | "archived" | null;
            /**
             * @description The line of a statement that shows it, one of those of its type.
             * @enum {string|null}
             */
            subtype?: "cash" | "receivable" | "inventory" | "current_asset" | "tax_asset" | "investment" | "fixed_asset" | "intangible_asset" | "non_current_asset" | "intercompany" | "payable" | "credit_card" | "current_liability" | "tax_liability" | "debt" | "non_current_liability" | "contributed_capital" | "distributions" | "retained_earnings" | "other_comprehensive_income" | "suspense" | "operating_revenue" | "other_income" | "cost_of_sales" | "operating_expense" | "finance_cost" | "other_expense" | "income_tax" | null;
            /**
             * @description The section of the statement of cash flows that shows what moves cash against it: `operating`, `investing` or `financing`. What is `cash` stays so; nothing becomes it.
             * @enum {string|null}
             */
            cash_flow?: "operating" | "investing" | "financing" | "cash" | null;
        };
        UpdateAccountReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["Account"];
        };
        CreateJournalEntryRequest: {
            /** @description The tenant: its subdomain prefix or its full domain, in any case. */
            domain_url: string;
            /**
             * Format: date
             * @description Date of the entry, YYYY-MM-DD. It decides the journal number and the rate.
             */
            date: string;
            /** @description Description of the entry. */
            memo: string;
            /** @description ISO 4217 code of the currency of the lines, for example USD. */
            transactionCurrency: string;
            /** @description ISO 4217 code of the currency to report the entry in, for example EUR. */
            reportingCurrency: string;
            /** @description The lines. Total debits must equal total credits. */
            entries: components["schemas"]["JournalLine"][];
            /**
             * Format: date
             * @description Date on which the entry posts, YYYY-MM-DD (UTC). If omitted or not after today, the entry posts immediately.
             */
            accrual_date?: string | null;
            /** @description Your application's own id for the entry, without control characters. If an entry with this id exists, the request returns it and posts nothing. */
            external_id?: string | null;
            /** @description Up to 20 pairs of a name (up to 40 characters) and a text (up to 500 characters) for your own use. They cannot be changed. The names `__proto__` and `constructor` are not allowed. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description Id of the user who posts the entry. The tenant must be linked to this user. */
            user_id?: number | string | null;
            /** @description Whether to validate the request and return the resulting entry without writing anything. The entry then has no id and no number. */
            dry_run?: boolean | null;
        };
        /** @description A line of an entry to post. */
        JournalLine: {
            /** @description Code of an active account in the tenant's chart of accounts. */
            account: string;
            /** @description Debit in the transaction currency: a decimal string with up to 15 digits and 2 decimals, a decimal point and no thousands separators. Omitted or empty means zero. */
            debit?: string | null;
            /** @description Credit in the transaction currency, in the same format as a debit. */
            credit?: string | null;
            /** @description Description of the line. */
            description?: string | null;
        };
        CreateJournalEntryReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["MadeJournalEntry"];
        };
        /** @description A created entry. After a dry run: the entry that would be created, without id and number. */
        MadeJournalEntry: {
            journal_entry_id: string | null;
            journal_number: string | null;
            /**
             * Format: date
             * @description Date of the entry. It decides the number and the place in lists.
             */
            date: string;
            /**
             * Format: date
             * @description Date on which reports count the entry: `accrual_date` if set, otherwise `date`.
             */
            posting_date: string;
            /** @description Position among the posted entries of its series and posting date, in the order of posting; null until the entry is posted. */
            posting_sequence: number | null;
            /** @description Description of the entry. */
            memo: string;
            /** @enum {string} */
            entry_type: "Manual Journal" | "Imported Journal";
            /**
             * @description `scheduled` until the accrual date, then `posted`. `cancelled` if the entry was cancelled before its accrual date. Reports count only posted entries.
             * @enum {string}
             */
            status: "posted" | "scheduled" | "cancelled";
            /** @description Date on which the entry posts, from the request; null if the request had none. */
            accrual_date: string | null;
            /** @description Your application's own id for the entry. */
            external_id: string | null;
            /** @description Id of the user who posted the entry; null if the request had none. */
            user_id: string | null;
            /** @description ISO 4217 code of the currency of the lines. */
            transaction_currency: string;
            /** @description Total debits in the transaction currency, equal to total credits. */
            transaction_amount: string;
            /** @description ISO 4217 code of the currency in which the entry is reported. */
            reporting_currency: string;
            /** @description transaction_amount at exchange_rate, rounded half up to the decimals of the reporting currency. Reporting debits, and reporting credits, add up to it exactly. */
            reporting_amount: string;
            /** @description Whether a positive transaction amount is 0.00 in the reporting currency. */
            reporting_amount_rounded_to_zero: boolean;
            /** @description Units of the reporting currency for one unit of the transaction currency, with eleven decimals. It is fixed when the entry is created. */
            exchange_rate: string;
            /**
             * Format: date
             * @description Date of the reference rates: the last one published on or before `date`, so an earlier date at weekends and on holidays. A reversal uses the rates of its original.
             */
            exchange_rate_date: string;
            /**
             * @description `ecb_published`: a reference rate (from euro to another currency). `ecb_derived`: calculated from reference rates of the date (into euro, or between two other currencies). `operator_corrected`: like these two, with a rate that the operator of the service corrected. `same_currency`: both currencies are the same and the rate is 1. `platform`: stated by the accounting platform; only imported entries and their reversals have it.
             * @enum {string}
             */
            exchange_rate_source: "ecb_published" | "ecb_derived" | "operator_corrected" | "same_currency" | "platform";
            /** @description ISO 4217 code of the tenant's book currency. */
            book_currency: string;
            /** @description transaction_amount in the book currency, rounded like `reporting_amount`. The two are equal if the reporting currency is the book currency. An amount too small for the book currency is 0.00; it appears only in reports by currency. */
            book_amount: string;
            /** @description Units of the book currency for one unit of the transaction currency. */
            book_exchange_rate: string;
            /** @description Metadata from the request; empty if there is none. */
            metadata: {
                [key: string]: string;
            };
            /** @description Id of the entry that this entry reverses; null unless it is a reversal. */
            reverses: string | null;
            /** @description Id of the posted or scheduled reversal of this entry; null if there is none. */
            reversed_by: string | null;
            /** @description When the entry was created (UTC); null after a dry run. */
            created_at: string | null;
            /** @description When the entry was posted (UTC); null until then. */
            posted_at: string | null;
            /** @description When the entry was cancelled (UTC); null if it was not. */
            cancelled_at: string | null;
            /** @description SHA-256 of the entry, without the fields that can change (`status`, `posted_at`, `cancelled_at`, `reversed_by`), chained to the hash of the previous entry in `posting_sequence`; null until it is posted. The guide explains how to recompute it. */
            hash: string | null;
            /** @description The lines, in the order of the request. */
            transactions: components["schemas"]["JournalEntryLine"][];
            /** @description Always null for entries created here. */
            bank_reconciliation_id: null;
            /** @description Scheduled entries only: why the entry is not posted although its date has come; null if nothing is wrong. Posting is retried automatically; you can also cancel the entry. */
            stuck?: components["schemas"]["StuckPosting"] | null;
        };
        /** @description A line of a journal entry. */
        JournalEntryLine: {
            /** @description Position of the line, from 1. */
            line_number: number;
            /** @description Account code. */
            account: string;
            /** @description Name of the account when the entry was created. */
            account_name: string;
            /** @description Description of the line; may be empty. */
            description: string;
            /** @description Debit in the transaction currency. */
            debit: string;
            /** @description Credit in the transaction currency. */
            credit: string;
            /** @description Debit in the reporting currency. The debits add up to `reporting_amount`. */
            reporting_debit: string;
            /** @description Credit in the reporting currency. The credits add up to `reporting_amount`. */
            reporting_credit: string;
            /** @description Debit in the tenant's book currency. Reports add up book amounts. */
            book_debit: string;
            /** @description Credit in the tenant's book currency. */
            book_credit: string;
        };
        /** @description Why scheduled entries are not posted although their date has come. */
        StuckPosting: {
            /**
             * @description `date_full`: the posting date has no room for more accounts. `entry_unreadable`: an entry of the date is damaged; the others are posted. `internal_error`: a fault in this service.
             * @enum {string}
             */
            reason: "date_full" | "entry_unreadable" | "internal_error";
            /**
             * Format: date-time
             * @description When posting failed for the first time (UTC).
             */
            since: string;
            /** @description Number of failed attempts. */
            attempts: number;
            /**
             * Format: date-time
             * @description When posting is tried again (UTC).
             */
            next_attempt_at: string;
        };
        CreateJournalEntriesRequest: {
            /** @description The tenant: its subdomain prefix or its full domain, in any case. */
            domain_url: string;
            /** @description The entries, in the order in which they get their numbers. */
            journal_entries: components["schemas"]["JournalEntryRequest"][];
            /** @description Whether to validate the request and return the resulting entry without writing anything. The entry then has no id and no number. */
            dry_run?: boolean | null;
        };
        /** @description An entry to post or schedule, as one of several. */
        JournalEntryRequest: {
            /**
             * Format: date
             * @description Date of the entry, YYYY-MM-DD. It decides the journal number and the rate.
             */
            date: string;
            /** @description Description of the entry. */
            memo: string;
            /** @description ISO 4217 code of the currency of the lines, for example USD. */
            transactionCurrency: string;
            /** @description ISO 4217 code of the currency to report the entry in, for example EUR. */
            reportingCurrency: string;
            /** @description The lines. Total debits must equal total credits. */
            entries: components["schemas"]["JournalLine"][];
            /**
             * Format: date
             * @description Date on which the entry posts, YYYY-MM-DD (UTC). If omitted or not after today, the entry posts immediately.
             */
            accrual_date?: string | null;
            /** @description Your application's own id for the entry, without control characters. If an entry with this id exists, the request returns it and posts nothing. */
            external_id?: string | null;
            /** @description Up to 20 pairs of a name (up to 40 characters) and a text (up to 500 characters) for your own use. They cannot be changed. The names `__proto__` and `constructor` are not allowed. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description Id of the user who posts the entry. The tenant must be linked to this user. */
            user_id?: number | string | null;
        };
        CreateJournalEntriesReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["MadeJournalEntries"];
        };
        /** @description All entries of a request. */
        MadeJournalEntries: {
            /** @description The entries, in the order of the request. */
            journal_entries: components["schemas"]["MadeJournalEntryOfMany"][];
        };
        /** @description An entry that was made beside others, or found. */
        MadeJournalEntryOfMany: {
            journal_entry_id: string | null;
            journal_number: string | null;
            /**
             * Format: date
             * @description Date of the entry. It decides the number and the place in lists.
             */
            date: string;
            /**
             * Format: date
             * @description Date on which reports count the entry: `accrual_date` if set, otherwise `date`.
             */
            posting_date: string;
            /** @description Position among the posted entries of its series and posting date, in the order of posting; null until the entry is posted. */
            posting_sequence: number | null;
            /** @description Description of the entry. */
            memo: string;
            /** @enum {string} */
            entry_type: "Manual Journal" | "Imported Journal";
            /**
             * @description `scheduled` until the accrual date, then `posted`. `cancelled` if the entry was cancelled before its accrual date. Reports count only posted entries.
             * @enum {string}
             */
            status: "posted" | "scheduled" | "cancelled";
            /** @description Date on which the entry posts, from the request; null if the request had none. */
            accrual_date: string | null;
            /** @description Your application's own id for the entry. */
            external_id: string | null;
            /** @description Id of the user who posted the entry; null if the request had none. */
            user_id: string | null;
            /** @description ISO 4217 code of the currency of the lines. */
            transaction_currency: string;
            /** @description Total debits in the transaction currency, equal to total credits. */
            transaction_amount: string;
            /** @description ISO 4217 code of the currency in which the entry is reported. */
            reporting_currency: string;
            /** @description transaction_amount at exchange_rate, rounded half up to the decimals of the reporting currency. Reporting debits, and reporting credits, add up to it exactly. */
            reporting_amount: string;
            /** @description Whether a positive transaction amount is 0.00 in the reporting currency. */
            reporting_amount_rounded_to_zero: boolean;
            /** @description Units of the reporting currency for one unit of the transaction currency, with eleven decimals. It is fixed when the entry is created. */
            exchange_rate: string;
            /**
             * Format: date
             * @description Date of the reference rates: the last one published on or before `date`, so an earlier date at weekends and on holidays. A reversal uses the rates of its original.
             */
            exchange_rate_date: string;
            /**
             * @description `ecb_published`: a reference rate (from euro to another currency). `ecb_derived`: calculated from reference rates of the date (into euro, or between two other currencies). `operator_corrected`: like these two, with a rate that the operator of the service corrected. `same_currency`: both currencies are the same and the rate is 1. `platform`: stated by the accounting platform; only imported entries and their reversals have it.
             * @enum {string}
             */
            exchange_rate_source: "ecb_published" | "ecb_derived" | "operator_corrected" | "same_currency" | "platform";
            /** @description ISO 4217 code of the tenant's book currency. */
            book_currency: string;
            /** @description transaction_amount in the book currency, rounded like `reporting_amount`. The two are equal if the reporting currency is the book currency. An amount too small for the book currency is 0.00; it appears only in reports by currency. */
            book_amount: string;
            /** @description Units of the book currency for one unit of the transaction currency. */
            book_exchange_rate: string;
            /** @description Metadata from the request; empty if there is none. */
            metadata: {
                [key: string]: string;
            };
            /** @description Id of the entry that this entry reverses; null unless it is a reversal. */
            reverses: string | null;
            /** @description Id of the posted or scheduled reversal of this entry; null if there is none. */
            reversed_by: string | null;
            /** @description When the entry was created (UTC); null after a dry run. */
            created_at: string | null;
            /** @description When the entry was posted (UTC); null until then. */
            posted_at: string | null;
            /** @description When the entry was cancelled (UTC); null if it was not. */
            cancelled_at: string | null;
            /** @description SHA-256 of the entry, without the fields that can change (`status`, `posted_at`, `cancelled_at`, `reversed_by`), chained to the hash of the previous entry in `posting_sequence`; null until it is posted. The guide explains how to recompute it. */
            hash: string | null;
            /** @description The lines, in the order of the request. */
            transactions: components["schemas"]["JournalEntryLine"][];
            /** @description Always null for entries created here. */
            bank_reconciliation_id: null;
            /** @description Scheduled entries only: why the entry is not posted although its date has come; null if nothing is wrong. Posting is retried automatically; you can also cancel the entry. */
            stuck?: components["schemas"]["StuckPosting"] | null;
            /** @description Whether an earlier request recorded it, and this one only found it. */
            replayed: boolean;
        };
        ReverseJournalEntryRequest: {
            /** @description The tenant: its subdomain prefix or its full domain, in any case. */
            domain_url: string;
            /**
             * @description Id of the entry, from the reply that created it.
             * @example 2d25c440-0000-8012-9e3f-0a4a55d6e1f6
             */
            journal_entry_id?: string | null;
            /**
             * @description Number of the entry: `MJ-` for manual, `IJ-` for imported journals.
             * @example MJ-20260323-0001
             */
            journal_number?: string | null;
            /** @description Your application's own id for the entry, from the request that created it. */
            original_external_id?: string | null;
            /**
             * Format: date
             * @description Date of the reversal, YYYY-MM-DD. It decides its journal number.
             */
            date: string;
            /** @description What the reversal is for; `Reversal of` and the number of the entry without. */
            memo?: string | null;
            /**
             * Format: date
             * @description Day on which the reversal posts, YYYY-MM-DD (UTC). Without it, and where the day is not after today, it posts at once.
             */
            accrual_date?: string | null;
            /** @description The caller's own id of the reversal, which no other entry has. */
            external_id?: string | null;
            /** @description Up to 20 pairs of a name (up to 40 characters) and a text (up to 500 characters) for your own use. They cannot be changed. The names `__proto__` and `constructor` are not allowed. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description Id of the user who posts the entry. The tenant must be linked to this user. */
            user_id?: number | string | null;
            /** @description Whether to validate the request and return the resulting entry without writing anything. The entry then has no id and no number. */
            dry_run?: boolean | null;
        };
        ReverseJournalEntryReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["MadeJournalEntry"];
        };
        CancelJournalEntryRequest: {
            /** @description The tenant: its subdomain prefix or its full domain, in any case. */
            domain_url: string;
            /**
             * @description Id of the entry, from the reply that created it.
             * @example 2d25c440-0000-8012-9e3f-0a4a55d6e1f6
             */
            journal_entry_id?: string | null;
            /**
             * @description Number of the entry: `MJ-` for manual, `IJ-` for imported journals.
             * @example MJ-20260323-0001
             */
            journal_number?: string | null;
            /** @description Your application's own id for the entry, from the request that created it. */
            external_id?: string | null;
        };
        CancelJournalEntryReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["JournalEntry"];
        };
        /** @description A posted, scheduled or cancelled entry. */
        JournalEntry: {
            /**
             * Format: uuid
             * @description Id of the entry.
             */
            journal_entry_id: string;
            /** @description `MJ` (`IJ` if imported), the date of the entry, and a sequence without gaps per tenant and date. A scheduled entry has a number from the start. */
            journal_number: string;
            /**
             * Format: date
             * @description Date of the entry. It decides the number and the place in lists.
             */
            date: string;
            /**
             * Format: date
             * @description Date on which reports count the entry: `accrual_date` if set, otherwise `date`.
             */
            posting_date: string;
            /** @description Position among the posted entries of its series and posting date, in the order of posting; null until the entry is posted. */
            posting_sequence: number | null;
            /** @description Description of the entry. */
            memo: string;
            /** @enum {string} */
            entry_type: "Manual Journal" | "Imported Journal";
            /**
             * @description `scheduled` until the accrual date, then `posted`. `cancelled` if the entry was cancelled before its accrual date. Reports count only posted entries.
             * @enum {string}
             */
            status: "posted" | "scheduled" | "cancelled";
            /** @description Date on which the entry posts, from the request; null if the request had none. */
            accrual_date: string | null;
            /** @description Your application's own id for the entry. */
            external_id: string | null;
            /** @description Id of the user who posted the entry; null if the request had none. */
            user_id: string | null;
            /** @description ISO 4217 code of the currency of the lines. */
            transaction_currency: string;
            /** @description Total debits in the transaction currency, equal to total credits. */
            transaction_amount: string;
            /** @description ISO 4217 code of the currency in which the entry is reported. */
            reporting_currency: string;
            /** @description transaction_amount at exchange_rate, rounded half up to the decimals of the reporting currency. Reporting debits, and reporting credits, add up to it exactly. */
            reporting_amount: string;
            /** @description Whether a positive transaction amount is 0.00 in the reporting currency. */
            reporting_amount_rounded_to_zero: boolean;
            /** @description Units of the reporting currency for one unit of the transaction currency, with eleven decimals. It is fixed when the entry is created. */
            exchange_rate: string;
            /**
             * Format: date
             * @description Date of the reference rates: the last one published on or before `date`, so an earlier date at weekends and on holidays. A reversal uses the rates of its original.
             */
            exchange_rate_date: string;
            /**
             * @description `ecb_published`: a reference rate (from euro to another currency). `ecb_derived`: calculated from reference rates of the date (into euro, or between two other currencies). `operator_corrected`: like these two, with a rate that the operator of the service corrected. `same_currency`: both currencies are the same and the rate is 1. `platform`: stated by the accounting platform; only imported entries and their reversals have it.
             * @enum {string}
             */
            exchange_rate_source: "ecb_published" | "ecb_derived" | "operator_corrected" | "same_currency" | "platform";
            /** @description ISO 4217 code of the tenant's book currency. */
            book_currency: string;
            /** @description transaction_amount in the book currency, rounded like `reporting_amount`. The two are equal if the reporting currency is the book currency. An amount too small for the book currency is 0.00; it appears only in reports by currency. */
            book_amount: string;
            /** @description Units of the book currency for one unit of the transaction currency. */
            book_exchange_rate: string;
            /** @description Metadata from the request; empty if there is none. */
            metadata: {
                [key: string]: string;
            };
            /** @description Id of the entry that this entry reverses; null unless it is a reversal. */
            reverses: string | null;
            /** @description Id of the posted or scheduled reversal of this entry; null if there is none. */
            reversed_by: string | null;
            /**
             * Format: date-time
             * @description When the entry was created (UTC).
             */
            created_at: string;
            /** @description When the entry was posted (UTC); null until then. */
            posted_at: string | null;
            /** @description When the entry was cancelled (UTC); null if it was not. */
            cancelled_at: string | null;
            /** @description SHA-256 of the entry, without the fields that can change (`status`, `posted_at`, `cancelled_at`, `reversed_by`), chained to the hash of the previous entry in `posting_sequence`; null until it is posted. The guide explains how to recompute it. */
            hash: string | null;
            /** @description The lines, in the order of the request. */
            transactions: components["schemas"]["JournalEntryLine"][];
            /** @description Always null for entries created here. */
            bank_reconciliation_id: null;
            /** @description Scheduled entries only: why the entry is not posted although its date has come; null if nothing is wrong. Posting is retried automatically; you can also cancel the entry. */
            stuck?: components["schemas"]["StuckPosting"] | null;
        };
        GetJournalEntryReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["JournalEntry"];
        };
        ListJournalEntriesReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["JournalEntryPage"];
        };
        /** @description A page of journal entries. */
        JournalEntryPage: {
            /** @description The entries, each with all lines. */
            journal_entries: components["schemas"]["JournalEntry"][];
            /** @description Pass it as `cursor` to get the next page. Null on the last page. If it is not null, there may be more items, even if this page is short or empty. */
            next_cursor: string | null;
        };
        GetTrialBalanceReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["TrialBalance"];
        };
        /** @description What each account of a tenant came to; debits and credits of all are equal. */
        TrialBalance: {
            /** @description Subdomain prefix of the tenant. */
            tenant_domain_url: string;
            /** @description The tenant's book currency. */
            currency: string;
            /**
             * @description Scope of the report. **`all_entries`: the tenant keeps its books here, and the report is complete. `journals_only`: the tenant keeps its books on a connected accounting platform. The report has only the manual journals of the platform and the entries posted here; invoices, bills, payments and bank transactions are missing.**
             * @enum {string}
             */
            coverage: "all_entries" | "journals_only";
            /** @description SHA-256 over the heads of the hash chains of all posting dates up to the last date of the report. It changes only if an entry is posted on one of these dates. The guide explains how to recompute it and what it proves. */
            digest: string;
            from: string | null;
            to: string | null;
            as_of: string | null;
            /** @description The accounts in the order of their codes. */
            rows: components["schemas"]["TrialBalanceRow"][];
            totals: {
                /** @description Net balance before the period, over all years, on one side. */
                opening: components["schemas"]["Sides"];
                /** @description Total debits and total credits of the period. */
                movement: components["schemas"]["Sides"];
                /** @description Net balance at the end of the period, on one side. */
                closing: components["schemas"]["Sides"];
            };
        };
        /** @description An account in a trial balance. */
        TrialBalanceRow: {
            /** @description Account code. */
            account: string;
            /** @description Current name of the account. */
            account_name: string;
            /** @enum {string} */
            account_type: "asset" | "liability" | "equity" | "revenue" | "expense";
            /** @description Net balance before the period, over all years, on one side. */
            opening: components["schemas"]["Sides"];
            /** @description Total debits and total credits of the period. */
            movement: components["schemas"]["Sides"];
            /** @description Net balance at the end of the period, on one side. */
            closing: components["schemas"]["Sides"];
            /** @description Transaction amounts in currencies other than that of the books, which the figures of the row have in the currency of the books. Only with `by_currency=true`. */
            currencies?: {
                /** @description A transaction currency. */
                currency: string;
                /** @description Net balance before the period, over all years, on one side. */
                opening: components["schemas"]["Sides"];
                /** @description Total debits and total credits of the period. */
                movement: components["schemas"]["Sides"];
                /** @description Net balance at the end of the period, on one side. */
                closing: components["schemas"]["Sides"];
            }[];
        };
        /** @description An amount on each side, in the currency of the report unless another is given. */
        Sides: {
            debit: string;
            credit: string;
        };
        GetAccountLedgerReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["AccountLedger"];
        };
        /** @description Lines of an account, with its balance after each of them. */
        AccountLedger: {
            /** @description Subdomain prefix of the tenant. */
            tenant_domain_url: string;
            /** @description The tenant's book currency. */
            currency: string;
            /**
             * @description Scope of the report. **`all_entries`: the tenant keeps its books here, and the report is complete. `journals_only`: the tenant keeps its books on a connected accounting platform. The report has only the manual journals of the platform and the entries posted here; invoices, bills, payments and bank transactions are missing.**
             * @enum {string}
             */
            coverage: "all_entries" | "journals_only";
            /** @description SHA-256 over the heads of the hash chains of all posting dates up to the last date of the report. It changes only if an entry is posted on one of these dates. The guide explains how to recompute it and what it proves. */
            digest: string;
            /** @description Account code. */
            account: string;
            /** @description Current name of the account. */
            account_name: string;
            /** @enum {string} */
            account_type: "asset" | "liability" | "equity" | "revenue" | "expense";
            /**
             * Format: date
             * @description First posting date.
             */
            from: string;
            /**
             * Format: date
             * @description Last posting date.
             */
            to: string;
            /** @description Balance before `from`, over all years, debit positive; on every page. */
            opening_balance: string;
            /** @description In the order of posting dates; within a date first the entries without an `accrual_date`, then those with one, each by their `date` and number. */
            lines: components["schemas"]["AccountLedgerLine"][];
            /** @description Balance at the end of `to`, debit positive; on every page. */
            closing_balance: string;
            /** @description Pass it as `cursor` to get the next page. Null on the last page. If it is not null, there may be more items, even if this page is short or empty. */
            next_cursor: string | null;
        };
        /** @description A line of a posted entry. */
        AccountLedgerLine: {
            /**
             * Format: date
             * @description Date on which the entry counts.
             */
            posting_date: string;
            /** @description Number of the entry. */
            journal_number: string;
            /** @description Id of the entry. */
            journal_entry_id: string;
            /** @description Place of the line in the entry. */
            line_number: number;
            /** @description What the entry is for. */
            memo: string;
            /** @description Description of the line; may be empty. */
            description: string;
            /** @description In the tenant's currency. */
            debit: string;
            /** @description In the tenant's currency. */
            credit: string;
            /** @description Balance of the account after the line, debit positive. */
            balance: string;
            /** @description Currency the entry is recorded in. */
            transaction_currency: string;
            /** @description In the transaction currency. */
            transaction_debit: string;
            /** @description In the transaction currency. */
            transaction_credit: string;
        };
        GetBalanceSheetReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["BalanceSheet"];
        };
        /** @description What a company owns and owes on a date; assets are liabilities and equity. */
        BalanceSheet: {
            /** @description Subdomain prefix of the tenant. */
            tenant_domain_url: string;
            /** @description The tenant's book currency. */
            currency: string;
            /**
             * @description Scope of the report. **`all_entries`: the tenant keeps its books here, and the report is complete. `journals_only`: the tenant keeps its books on a connected accounting platform. The report has only the manual journals of the platform and the entries posted here; invoices, bills, payments and bank transactions are missing.**
             * @enum {string}
             */
            coverage: "all_entries" | "journals_only";
            /** @description SHA-256 over the heads of the hash chains of all posting dates up to the last date of the report. It changes only if an entry is posted on one of these dates. The guide explains how to recompute it and what it proves. */
            digest: string;
            /**
             * Format: date
             * @description Last posting date.
             */
            as_of: string;
            /**
             * Format: date
             * @description First day of the fiscal year that `as_of` is in.
             */
            fiscal_year_start: string;
            assets: {
                /** @description Those that have accounts to show. A debit is positive. */
                sections: components["schemas"]["BalanceSheetSection"][];
                /** @description A debit is positive. */
                total: string;
            };
            liabilities: {
                /** @description Those that have accounts to show. A credit is positive. */
                sections: components["schemas"]["BalanceSheetSection"][];
                /** @description A credit is positive. */
                total: string;
            };
            equity: {
                /** @description Those that have accounts to show. A credit is positive. */
                sections: components["schemas"]["BalanceSheetSection"][];
                /** @description The sections, `retained_earnings_computed` and `current_year_earnings`. */
                total: string;
                /** @description Profit of all fiscal years that ended before `fiscal_year_start`; a loss is negative. */
                retained_earnings_computed: string;
                /** @description Profit from `fiscal_year_start` to `as_of`; a loss is negative. */
                current_year_earnings: string;
            };
            /** @description The same as the total of `assets`. */
            total_liabilities_and_equity: string;
        };
        /** @description The accounts of a subtype in a balance sheet. */
        BalanceSheetSection: {
            /** @description Subtype of its accounts; null for accounts that have none. */
            subtype: ("cash" | "receivable" | "inventory" | "current_asset" | "tax_asset" | "investment" | "fixed_asset" | "intangible_asset" | "non_current_asset" | "intercompany" | "payable" | "credit_card" | "current_liability" | "tax_liability" | "debt" | "non_current_liability" | "contributed_capital" | "distributions" | "retained_earnings" | "other_comprehensive_income" | "suspense" | "operating_revenue" | "other_income" | "cost_of_sales" | "operating_expense" | "finance_cost" | "other_expense" | "income_tax") | null;
            /** @description The accounts, ordered by code. */
            accounts: components["schemas"]["AccountAmount"][];
            /** @description Sum of the amounts. */
            total: string;
        };
        /** @description An account in a statement. Accounts with a zero amount are omitted. */
        AccountAmount: {
            /** @description Account code. */
            account: string;
            /** @description Current name of the account. */
            account_name: string;
            /** @description Amount of the account, with the sign of the section. */
            amount: string;
        };
        GetProfitAndLossReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["ProfitAndLoss"];
        };
        /** @description What a company earned in a period, and what that cost. */
        ProfitAndLoss: {
            /** @description Subdomain prefix of the tenant. */
            tenant_domain_url: string;
            /** @description The tenant's book currency. */
            currency: string;
            /**
             * @description Scope of the report. **`all_entries`: the tenant keeps its books here, and the report is complete. `journals_only`: the tenant keeps its books on a connected accounting platform. The report has only the manual journals of the platform and the entries posted here; invoices, bills, payments and bank transactions are missing.**
             * @enum {string}
             */
            coverage: "all_entries" | "journals_only";
            /** @description SHA-256 over the heads of the hash chains of all posting dates up to the last date of the report. It changes only if an entry is posted on one of these dates. The guide explains how to recompute it and what it proves. */
            digest: string;
            /**
             * Format: date
             * @description First posting date.
             */
            from: string;
            /**
             * Format: date
             * @description Last posting date.
             */
            to: string;
            /** @description Subtype `operating_revenue`; a credit is positive. */
            revenue: components["schemas"]["AccountAmounts"];
            /** @description Subtype `cost_of_sales`; a debit is positive. */
            cost_of_sales: components["schemas"]["AccountAmounts"];
            /** @description `revenue` less `cost_of_sales`. */
            gross_profit: string;
            /** @description Subtype `operating_expense`; a debit is positive. */
            operating_expenses: components["schemas"]["AccountAmounts"];
            /** @description `gross_profit` less `operating_expenses`. */
            operating_profit: string;
            /** @description Subtype `other_income`; a credit is positive. */
            other_income: components["schemas"]["AccountAmounts"];
            /** @description Subtype `other_expense`; a debit is positive. */
            other_expenses: components["schemas"]["AccountAmounts"];
            /** @description Subtype `finance_cost`; a debit is positive. */
            finance_costs: components["schemas"]["AccountAmounts"];
            /** @description `operating_profit` and `other_income` less `other_expenses` and `finance_costs`. */
            profit_before_tax: string;
            /** @description Subtype `income_tax`; a debit is positive. */
            income_tax: components["schemas"]["AccountAmounts"];
            /** @description `profit_before_tax` less `income_tax`; a loss is negative. */
            profit: string;
        };
        /** @description The accounts of a statement with their amounts, and the total. */
        AccountAmounts: {
            /** @description The accounts, ordered by code. */
            accounts: components["schemas"]["AccountAmount"][];
            /** @description Sum of the amounts. */
            total: string;
        };
        GetCashFlowReply: {
            /** @constant */
            status: "success";
            /** @constant */
            status_code: 200;
            data: components["schemas"]["CashFlow"];
        };
        /** @description What moved the cash of a company in a period; what flows in is positive. */
        CashFlow: {
            /** @description Subdomain prefix of the tenant. */
            tenant_domain_url: string;
            /** @description The tenant's book currency. */
            currency: string;
            /**
             * @description Scope of the report. **`all_entries`: the tenant keeps its books here, and the report is complete. `journals_only`: the tenant keeps its books on a connected accounting platform. The report has only the manual journals of the platform and the entries posted here; invoices, bills, payments and bank transactions are missing.**
             * @enum {string}
             */
            coverage: "all_entries" | "journals_only";
            /** @description SHA-256 over the heads of the hash chains of all posting dates up to the last date of the report. It changes only if an entry is posted on one of these dates. The guide explains how to recompute it and what it proves. */
            digest: string;
            /**
             * Format: date
             * @description First posting date.
             */
            from: string;
            /**
             * Format: date
             * @description Last posting date.
             */
            to: string;
            operating: components["schemas"]["OperatingCashFlows"];
            /** @description Accounts of class `investing`, and accumulated depreciation and amortisation in entries that touch cash. */
            investing: components["schemas"]["AccountAmounts"];
            /** @description Accounts of class `financing`. */
            financing: components["schemas"]["AccountAmounts"];
            /** @description Exchange differences in entries that touch cash. */
            effect_of_exchange_rates: string;
            /** @description Accounts without a class. */
            unclassified: components["schemas"]["AccountAmounts"];
            /** @description The sum of the five. */
            net_change: string;
            /** @description Balance of all cash accounts before `from`. */
            opening_cash: string;
            /** @description `opening_cash` and `net_change`: the balance at the end of `to`. */
            closing_cash: string;
            /** @description The accounts of class `cash`, in the order of their codes. */
            cash_accounts: components["schemas"]["CashAccount"][];
        };
        /** @description What it has depends on `method`; the total does not. */
        OperatingCashFlows: components["schemas"]["DirectOperatingCashFlows"] | components["schemas"]["IndirectOperatingCashFlows"];
        /** @description Operating cash flows by the account that stands against cash. */
        DirectOperatingCashFlows: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            method: "direct";
            /** @description The accounts, ordered by code. */
            accounts: components["schemas"]["AccountAmount"][];
            /** @description Sum of the amounts. */
            total: string;
        };
        /** @description Operating cash flows as profit and what it differs from them by. */
        IndirectOperatingCashFlows: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            method: "indirect";
            /** @description Profit of the period, as in its profit and loss. */
            profit: string;
            /** @description What takes those parts of profit out that are no operating cash flows: accounts of revenue and expenses of another class, and exchange differences on cash. */
            items_of_other_sections: components["schemas"]["AccountAmounts"];
            /** @description Movements of the operating accounts of the balance sheet, and of accumulated depreciation and amortisation where they did not touch cash. What adds to profit in cash is positive: receivables that fall, payables that grow. */
            movements: components["schemas"]["AccountAmounts"];
            /** @description What was invested and financed without cash, such as a machine that is not yet paid for: it takes out of `movements` what stands there against it. */
            non_cash_investing_and_financing: string;
            /** @description The sum of all of these: the same as by the direct method. */
            total: string;
        };
        /** @description An account that is part of cash; an overdraft is a negative part of it. */
        CashAccount: {
            /** @description Account code. */
            account: string;
            /** @description Current name of the account. */
            account_name: string;
            /** @description Balance before `from`, debit positive. */
            opening: string;
            /** @description Balance at the end of `to`, debit positive. */
            closing: string;
        };
        /** @description The envelope of every failure, including failures of the gateway. */
        Failure: {
            /** @constant */
            status: "error";
            /**
             * @description The HTTP status of the reply.
             * @enum {integer}
             */
            status_code: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504;
            error: {
                /**
                 * @description Why the request failed. Decide on this. Later versions may add codes.
                 * @enum {string}
                 */
                code: "malformed_json" | "api_key_not_accepted" | "application_suspended" | "api_key_read_only" | "request_blocked" | "route_not_found" | "method_not_allowed" | "user_not_found" | "tenant_not_found" | "journal_entry_not_found" | "confirmation_not_found" | "platform_not_connectable" | "entry_is_a_reversal" | "entry_not_posted" | "entry_not_scheduled" | "scheduled_entries_due" | "company_connected_meanwhile" | "body_too_large" | "content_type_not_supported" | "validation_failed" | "idempotency_key_reused" | "company_connected_by_another_user" | "tenant_not_connected" | "platform_refused_credentials" | "reply_too_large" | "too_many_requests" | "cost_budget_exhausted" | "internal_error" | "platform_failed" | "contention" | "temporarily_unavailable" | "platform_timed_out" | "request_timed_out";
                /** @description For people. The wording may change. */
                message: string;
                /** @description Whether the same request can succeed later. */
                retryable: boolean;
                /** @description Quote this to report a failure. */
                request_id: string;
                /** @description All problems of the request, at most 100. Empty if the request is refused as a whole. */
                details: components["schemas"]["Problem"][];
            };
        };
        /**
         * @description A problem of a request.
         *
         *     | code | message |
         *     | --- | --- |
         *     | `required` | This field is required. |
         *     | `json_syntax` | The JSON is not well formed at this line and column. |
         *     | `encoding_not_valid` | The body is not UTF-8, or has U+FFFD, which stands for what was not. |
         *     | `unknown_field` | This field is not part of the request. |
         *     | `name_not_allowed` | This name is reserved. Take another one. |
         *     | `duplicate_name` | Another of these names is the same text, in other code points. |
         *     | `wrong_type` | This field has the wrong type. |
         *     | `not_an_allowed_value` | This value is not one of those allowed. |
         *     | `too_long` | This text is too long. |
         *     | `too_short` | This text is too short. |
         *     | `too_many_items` | There are too many items. |
         *     | `too_few_items` | There are too few items. |
         *     | `out_of_range` | This number is outside the range that is accepted. |
         *     | `must_not_be_blank` | This field must not be blank. |
         *     | `repeated_parameter` | This parameter was given more than once. |
         *     | `control_characters_not_allowed` | This text has control characters or broken Unicode. |
         *     | `invisible_characters_not_allowed` | This text has characters that do not show, or that turn the direction of others. |
         *     | `number_not_exact` | This number cannot be held exactly. Send it as a decimal string. |
         *     | `email_not_valid` | This is not an email address. |
         *     | `user_id_not_valid` | A user id is a positive integer, or its decimal digits. |
         *     | `currency_unknown` | This is not a current ISO 4217 code of money. |
         *     | `currency_not_in_use` | This currency was withdrawn before the date of the entry. |
         *     | `date_not_valid` | This is not a date of the calendar, written YYYY-MM-DD. |
         *     | `from_after_to` | The first date is after the last. |
         *     | `exactly_one_of` | Exactly one of the fields in params must be given. |
         *     | `as_of_excludes_period` | Give as_of, or from and to, and not both. |
         *     | `cursor_not_valid` | This cursor is not one that this list gave for the same query. Begin without one. |
         *     | `domain_not_valid` | This is not a tenant prefix or its full domain. |
         *     | `redirect_url_not_valid` | This is not a URL that the service may send a browser to. |
         *     | `redirect_url_not_registered` | The application has not registered this redirect URL. |
         *     | `amount_not_valid` | An amount has up to 15 digits and 2 decimals, and is not negative. |
         *     | `amount_too_precise` | This amount has more decimals than its currency. |
         *     | `amount_too_large` | The total of the entry has more than 15 digits before the point. |
         *     | `line_must_have_one_side` | A line has exactly one positive amount: its debit or its credit. |
         *     | `period_locked` | This posting date is in the locked period of the tenant. |
         *     | `lock_date_not_past` | Only days that are over (UTC) can be locked. |
         *     | `scheduled_entries_due` | A scheduled entry falls due by this date and is not posted yet. |
         *     | `financial_year_end_not_valid` | The end of a fiscal year is a day of the calendar, written MM-DD. |
         *     | `reversal_before_entry` | A reversal does not count before the entry that it reverses. |
         *     | `external_id_taken` | Another entry has this external_id. |
         *     | `duplicate_external_id` | An earlier entry of this request has the same external_id. |
         *     | `batch_too_large` | These entries come to more than one request takes. Send fewer at once. |
         *     | `date_out_of_range` | This date is further from today than an entry may be. |
         *     | `date_full` | Entries to so many accounts count on this date that there is no room for this one. |
         *     | `debits_must_equal_credits` | Total debits must equal total credits. |
         *     | `memo_must_not_be_blank` | The memo must not be blank. |
         *     | `account_not_found` | The tenant has no such account. |
         *     | `account_code_not_valid` | An account code has no blanks at its ends, and does not begin with ID-. |
         *     | `account_code_too_long` | The code takes more bytes in UTF-8 than that of a new account may. |
         *     | `account_quota_reached` | The tenant has as many accounts as it may have. |
         *     | `tenant_quota_reached` | The application has as many tenants as it may have. |
         *     | `account_code_taken` | Another account has this code. It differs in the fields named. |
         *     | `subtype_not_of_type` | This subtype is none of those that the account's type has. |
         *     | `cash_flow_not_for_account` | An account of this type and subtype has none of this class. |
         *     | `cash_flow_is_fixed` | Whether an account is cash is decided when it is made, and never changes. |
         *     | `account_kept_by_platform` | The platform decides this of its accounts. Change it there. |
         *     | `nothing_to_change` | The request names no field to change. |
         *     | `account_archived` | This account is archived, so nothing can be posted to it. |
         *     | `tenant_not_found` | The calling application has no such tenant. |
         *     | `user_not_found` | The calling application has no such user. |
         *     | `exchange_rate_unavailable` | There is no exchange rate for these currencies on this date. |
         *     | `user_not_linked` | The tenant is not linked to this user. |
         *     | `credentials_not_accepted` | The platform did not accept these credentials. |
         *     | `company_not_found` | The platform has no such company for these credentials. |
         *     | `company_id_not_valid` | The platform gives its companies no ids of this form. |
         *     | `field_not_for_platform` | This field is not used by this platform. |
         *     | `budget_used_up` | The application has used more units in this minute than it may have used by now. |
         *     | `idempotency_key_not_valid` | An Idempotency-Key has 1 to 255 visible ASCII characters. |
         */
        Problem: {
            /**
             * @description The broken rule. Later versions may add codes.
             * @enum {string}
             */
            code: "required" | "json_syntax" | "encoding_not_valid" | "unknown_field" | "name_not_allowed" | "duplicate_name" | "wrong_type" | "not_an_allowed_value" | "too_long" | "too_short" | "too_many_items" | "too_few_items" | "out_of_range" | "must_not_be_blank" | "repeated_parameter" | "control_characters_not_allowed" | "invisible_characters_not_allowed" | "number_not_exact" | "email_not_valid" | "user_id_not_valid" | "currency_unknown" | "currency_not_in_use" | "date_not_valid" | "from_after_to" | "exactly_one_of" | "as_of_excludes_period" | "cursor_not_valid" | "domain_not_valid" | "redirect_url_not_valid" | "redirect_url_not_registered" | "amount_not_valid" | "amount_too_precise" | "amount_too_large" | "line_must_have_one_side" | "period_locked" | "lock_date_not_past" | "scheduled_entries_due" | "financial_year_end_not_valid" | "reversal_before_entry" | "external_id_taken" | "duplicate_external_id" | "batch_too_large" | "date_out_of_range" | "date_full" | "debits_must_equal_credits" | "memo_must_not_be_blank" | "account_not_found" | "account_code_not_valid" | "account_code_too_long" | "account_quota_reached" | "tenant_quota_reached" | "account_code_taken" | "subtype_not_of_type" | "cash_flow_not_for_account" | "cash_flow_is_fixed" | "account_kept_by_platform" | "nothing_to_change" | "account_archived" | "tenant_not_found" | "user_not_found" | "exchange_rate_unavailable" | "user_not_linked" | "credentials_not_accepted" | "company_not_found" | "company_id_not_valid" | "field_not_for_platform" | "budget_used_up" | "idempotency_key_not_valid";
            /** @description JSON Pointer (RFC 6901) to the part that breaks the rule, such as /entries/1/account. Empty for the whole body. For a query parameter or header: a slash and its name. */
            pointer: string;
            /** @description For people. The wording may change. */
            message: string;
            /** @description Values for your program, depending on the code. */
            params?: {
                [key: string]: string | number | string[];
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Seconds to wait before you send the request again. */
        "Retry-After": number;
    };
    pathItems: never;
}
export type EnsureUserRequest = components['schemas']['EnsureUserRequest'];
export type EnsureUserReply = components['schemas']['EnsureUserReply'];
export type EnsuredUser = components['schemas']['EnsuredUser'];
export type GetUserProfileRequest = components['schemas']['GetUserProfileRequest'];
export type GetUserProfileReply = components['schemas']['GetUserProfileReply'];
export type UserProfile = components['schemas']['UserProfile'];
export type TenantSummary = components['schemas']['TenantSummary'];
export type InitiateOauthReply = components['schemas']['InitiateOauthReply'];
export type InitiateOauthData = components['schemas']['InitiateOauthData'];
export type ConfirmTenantRequest = components['schemas']['ConfirmTenantRequest'];
export type ConfirmTenantReply = components['schemas']['ConfirmTenantReply'];
export type CreateTenantRequest = components['schemas']['CreateTenantRequest'];
export type CreateTenantRequestManual = components['schemas']['CreateTenantRequestManual'];
export type CreateTenantRequestPlatformA = components['schemas']['CreateTenantRequestPlatformA'];
export type CreateTenantRequestPlatformB = components['schemas']['CreateTenantRequestPlatformB'];
export type CreateTenantRequestPlatformC = components['schemas']['CreateTenantRequestPlatformC'];
export type CreateTenantReply = components['schemas']['CreateTenantReply'];
export type TenantReference = components['schemas']['TenantReference'];
export type UpdateTenantRequest = components['schemas']['UpdateTenantRequest'];
export type UpdateTenantReply = components['schemas']['UpdateTenantReply'];
export type LinkTenantRequest = components['schemas']['LinkTenantRequest'];
export type LinkTenantReply = components['schemas']['LinkTenantReply'];
export type LinkTenantData = components['schemas']['LinkTenantData'];
export type UnlinkTenantRequest = components['schemas']['UnlinkTenantRequest'];
export type UnlinkTenantReply = components['schemas']['UnlinkTenantReply'];
export type UnlinkTenantData = components['schemas']['UnlinkTenantData'];
export type GetTenantImportReply = components['schemas']['GetTenantImportReply'];
export type TenantImport = components['schemas']['TenantImport'];
export type Import = components['schemas']['Import'];
export type RequestImportRequest = components['schemas']['RequestImportRequest'];
export type RequestImportReply = components['schemas']['RequestImportReply'];
export type RequestedImport = components['schemas']['RequestedImport'];
export type DisconnectTenantRequest = components['schemas']['DisconnectTenantRequest'];
export type DisconnectTenantReply = components['schemas']['DisconnectTenantReply'];
export type DisconnectedTenant = components['schemas']['DisconnectedTenant'];
export type ListAccountsReply = components['schemas']['ListAccountsReply'];
export type AccountPage = components['schemas']['AccountPage'];
export type Account = components['schemas']['Account'];
export type CreateAccountRequest = components['schemas']['CreateAccountRequest'];
export type CreateAccountReply = components['schemas']['CreateAccountReply'];
export type CreatedAccount = components['schemas']['CreatedAccount'];
export type UpdateAccountRequest = components['schemas']['UpdateAccountRequest'];
export type UpdateAccountReply = components['schemas']['UpdateAccountReply'];
export type CreateJournalEntryRequest = components['schemas']['CreateJournalEntryRequest'];
export type JournalLine = components['schemas']['JournalLine'];
export type CreateJournalEntryReply = components['schemas']['CreateJournalEntryReply'];
export type MadeJournalEntry = components['schemas']['MadeJournalEntry'];
export type JournalEntryLine = components['schemas']['JournalEntryLine'];
export type StuckPosting = components['schemas']['StuckPosting'];
export type CreateJournalEntriesRequest = components['schemas']['CreateJournalEntriesRequest'];
export type JournalEntryRequest = components['schemas']['JournalEntryRequest'];
export type CreateJournalEntriesReply = components['schemas']['CreateJournalEntriesReply'];
export type MadeJournalEntries = components['schemas']['MadeJournalEntries'];
export type MadeJournalEntryOfMany = components['schemas']['MadeJournalEntryOfMany'];
export type ReverseJournalEntryRequest = components['schemas']['ReverseJournalEntryRequest'];
export type ReverseJournalEntryReply = components['schemas']['ReverseJournalEntryReply'];
export type CancelJournalEntryRequest = components['schemas']['CancelJournalEntryRequest'];
export type CancelJournalEntryReply = components['schemas']['CancelJournalEntryReply'];
export type JournalEntry = components['schemas']['JournalEntry'];
export type GetJournalEntryReply = components['schemas']['GetJournalEntryReply'];
export type ListJournalEntriesReply = components['schemas']['ListJournalEntriesReply'];
export type JournalEntryPage = components['schemas']['JournalEntryPage'];
export type GetTrialBalanceReply = components['schemas']['GetTrialBalanceReply'];
export type TrialBalance = components['schemas']['TrialBalance'];
export type TrialBalanceRow = components['schemas']['TrialBalanceRow'];
export type Sides = components['schemas']['Sides'];
export type GetAccountLedgerReply = components['schemas']['GetAccountLedgerReply'];
export type AccountLedger = components['schemas']['AccountLedger'];
export type AccountLedgerLine = components['schemas']['AccountLedgerLine'];
export type GetBalanceSheetReply = components['schemas']['GetBalanceSheetReply'];
export type BalanceSheet = components['schemas']['BalanceSheet'];
export type BalanceSheetSection = components['schemas']['BalanceSheetSection'];
export type AccountAmount = components['schemas']['AccountAmount'];
export type GetProfitAndLossReply = components['schemas']['GetProfitAndLossReply'];
export type ProfitAndLoss = components['schemas']['ProfitAndLoss'];
export type AccountAmounts = components['schemas']['AccountAmounts'];
export type GetCashFlowReply = components['schemas']['GetCashFlowReply'];
export type CashFlow = components['schemas']['CashFlow'];
export type OperatingCashFlows = components['schemas']['OperatingCashFlows'];
export type DirectOperatingCashFlows = components['schemas']['DirectOperatingCashFlows'];
export type IndirectOperatingCashFlows = components['schemas']['IndirectOperatingCashFlows'];
export type CashAccount = components['schemas']['CashAccount'];
export type Failure = components['schemas']['Failure'];
export type Problem = components['schemas']['Problem'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type $defs = Record<string, never>;
export interface operations {
    "ensure-user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnsureUserRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnsureUserReply"];
                };
            };
            /**
             * @description Bad Request
             *
             *     - `malformed_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             *     - `api_key_read_only`: This API key may only read. Send the request with one that may change things.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Payload Too Large
             *
             *     - `body_too_large`: The body is larger than the service accepts.
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unsupported Media Type
             *
             *     - `content_type_not_supported`: Send the body as Content-Type: application/json.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             *     - `contention`: Too many writes met in one place. Nothing was written; send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "get-user-profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetUserProfileRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetUserProfileReply"];
                };
            };
            /**
             * @description Bad Request
             *
             *     - `malformed_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `user_not_found`: The calling application has no such user.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Payload Too Large
             *
             *     - `body_too_large`: The body is larger than the service accepts.
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unsupported Media Type
             *
             *     - `content_type_not_supported`: Send the body as Content-Type: application/json.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "initiate-oauth": {
        parameters: {
            query: {
                /**
                 * @description The user that will own the tenant: its id.
                 * @example 4503599627370497
                 */
                user_id: number | string;
                /**
                 * @description Method of the tenant's statement of cash flows.
                 * @example indirect
                 */
                cash_flow_method: "direct" | "indirect";
                /**
                 * @description Where the browser is sent at the end; without it, a plain page is shown.
                 * @example https://app.example.com/connected
                 */
                redirect_url?: string;
                /** @description Id of the company at the platform that is to be connected; without it, the user chooses where the consent is for several. */
                platform_company_id?: string;
                /** @description Whether the connection waits until the application confirms it by confirm-tenant, in the user's session. It needs a `redirect_url`. False if left out. */
                confirm_connection?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The accounting platform, under the name that the deployment gives it.
                 * @example platform_a
                 */
                platform: "platform_a" | "platform_b" | "platform_c";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InitiateOauthReply"];
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             *     - `api_key_read_only`: This API key may only read. Send the request with one that may change things.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `user_not_found`: The calling application has no such user.
             *     - `platform_not_connectable`: This platform has no authorization flow here.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "confirm-tenant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmTenantRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description `true` if an earlier request has confirmed this connection. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfirmTenantReply"];
                };
            };
            /**
             * @description Bad Request
             *
             *     - `malformed_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             *     - `api_key_read_only`: This API key may only read. Send the request with one that may change things.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `confirmation_not_found`: This user has no connection that this code confirms. Start the authorization again.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Conflict
             *
             *     - `company_connected_meanwhile`: The company was connected after this consent. Start the authorization again.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Payload Too Large
             *
             *     - `body_too_large`: The body is larger than the service accepts.
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unsupported Media Type
             *
             *     - `content_type_not_supported`: Send the body as Content-Type: application/json.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             *     - `contention`: Too many writes met in one place. Nothing was written; send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "create-tenant": {
        parameters: {
            query?: never;
            header?: {
                /** @description Optional, 1 to 255 visible ASCII characters, unique for ever within the application. A request that is sent again with the same key creates nothing and returns the same tenant; with other content (credentials aside) it is refused as idempotency_key_reused. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTenantRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description `true` where an earlier request with this Idempotency-Key is answered. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateTenantReply"];
                };
            };
            /**
             * @description Bad Request
             *
             *     - `malformed_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             *     - `api_key_read_only`: This API key may only read. Send the request with one that may change things.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `user_not_found`: The calling application has no such user.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Payload Too Large
             *
             *     - `body_too_large`: The body is larger than the service accepts.
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unsupported Media Type
             *
             *     - `content_type_not_supported`: Send the body as Content-Type: application/json.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             *     - `idempotency_key_reused`: This Idempotency-Key was used for a request with other content.
             *     - `company_connected_by_another_user`: Another user of the application has connected this company. Link the user to its tenant.
             *     - `platform_refused_credentials`: The accounting platform did not accept the credentials.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Bad Gateway
             *
             *     - `platform_failed`: The accounting platform answered with a failure.
             */
            502: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             *     - `contention`: Too many writes met in one place. Nothing was written; send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             *     - `platform_timed_out`: The accounting platform took too long to answer.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "update-tenant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTenantRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateTenantReply"];
                };
            };
            /**
             * @description Bad Request
             *
             *     - `malformed_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             *     - `api_key_read_only`: This API key may only read. Send the request with one that may change things.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `tenant_not_found`: The calling application has no such tenant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Conflict
             *
             *     - `scheduled_entries_due`: Scheduled entries fall due by this date and are not posted yet.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Payload Too Large
             *
             *     - `body_too_large`: The body is larger than the service accepts.
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unsupported Media Type
             *
             *     - `content_type_not_supported`: Send the body as Content-Type: application/json.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             *     - `contention`: Too many writes met in one place. Nothing was written; send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "link-tenant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkTenantRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkTenantReply"];
                };
            };
            /**
             * @description Bad Request
             *
             *     - `malformed_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             *     - `api_key_read_only`: This API key may only read. Send the request with one that may change things.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `user_not_found`: The calling application has no such user.
             *     - `tenant_not_found`: The calling application has no such tenant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Payload Too Large
             *
             *     - `body_too_large`: The body is larger than the service accepts.
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unsupported Media Type
             *
             *     - `content_type_not_supported`: Send the body as Content-Type: application/json.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             *     - `contention`: Too many writes met in one place. Nothing was written; send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "unlink-tenant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnlinkTenantRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnlinkTenantReply"];
                };
            };
            /**
             * @description Bad Request
             *
             *     - `malformed_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             *     - `api_key_read_only`: This API key may only read. Send the request with one that may change things.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `user_not_found`: The calling application has no such user.
             *     - `tenant_not_found`: The calling application has no such tenant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Payload Too Large
             *
             *     - `body_too_large`: The body is larger than the service accepts.
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unsupported Media Type
             *
             *     - `content_type_not_supported`: Send the body as Content-Type: application/json.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             *     - `contention`: Too many writes met in one place. Nothing was written; send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "get-tenant-import": {
        parameters: {
            query: {
                /**
                 * @description The tenant: its subdomain prefix or its full domain, in any case.
                 * @example difference-works-p3vh8d
                 */
                domain_url: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTenantImportReply"];
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `tenant_not_found`: The calling application has no such tenant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "request-import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestImportRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestImportReply"];
                };
            };
            /**
             * @description Bad Request
             *
             *     - `malformed_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             *     - `api_key_read_only`: This API key may only read. Send the request with one that may change things.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `tenant_not_found`: The calling application has no such tenant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Payload Too Large
             *
             *     - `body_too_large`: The body is larger than the service accepts.
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unsupported Media Type
             *
             *     - `content_type_not_supported`: Send the body as Content-Type: application/json.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             *     - `tenant_not_connected`: The tenant is not connected to an accounting platform. Connect its company first.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             *     - `contention`: Too many writes met in one place. Nothing was written; send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "disconnect-tenant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DisconnectTenantRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisconnectTenantReply"];
                };
            };
            /**
             * @description Bad Request
             *
             *     - `malformed_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             *     - `api_key_read_only`: This API key may only read. Send the request with one that may change things.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `tenant_not_found`: The calling application has no such tenant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Payload Too Large
             *
             *     - `body_too_large`: The body is larger than the service accepts.
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unsupported Media Type
             *
             *     - `content_type_not_supported`: Send the body as Content-Type: application/json.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Bad Gateway
             *
             *     - `platform_failed`: The accounting platform answered with a failure.
             */
            502: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             *     - `contention`: Too many writes met in one place. Nothing was written; send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             *     - `platform_timed_out`: The accounting platform took too long to answer.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "list-accounts": {
        parameters: {
            query: {
                /**
                 * @description The tenant: its subdomain prefix or its full domain, in any case.
                 * @example analytical-engines-k7m2xq
                 */
                domain_url: string;
                /** @description Only accounts of this status. */
                status?: "active" | "archived";
                /**
                 * @description Only accounts of this type.
                 * @example asset
                 */
                type?: "asset" | "liability" | "equity" | "revenue" | "expense";
                /** @description Only the account of this code. */
                code?: string;
                /**
                 * @description Maximum number of items on the page. Defaults to 50.
                 * @example 2
                 */
                limit?: number;
                /** @description `next_cursor` of the previous page. Send the same query; only `limit` may change. Omit it for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAccountsReply"];
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `tenant_not_found`: The calling application has no such tenant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "create-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAccountRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateAccountReply"];
                };
            };
            /**
             * @description Bad Request
             *
             *     - `malformed_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             *     - `api_key_read_only`: This API key may only read. Send the request with one that may change things.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `tenant_not_found`: The calling application has no such tenant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Payload Too Large
             *
             *     - `body_too_large`: The body is larger than the service accepts.
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unsupported Media Type
             *
             *     - `content_type_not_supported`: Send the body as Content-Type: application/json.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             *     - `contention`: Too many writes met in one place. Nothing was written; send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "update-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAccountRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateAccountReply"];
                };
            };
            /**
             * @description Bad Request
             *
             *     - `malformed_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             *     - `api_key_read_only`: This API key may only read. Send the request with one that may change things.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `tenant_not_found`: The calling application has no such tenant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Payload Too Large
             *
             *     - `body_too_large`: The body is larger than the service accepts.
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unsupported Media Type
             *
             *     - `content_type_not_supported`: Send the body as Content-Type: application/json.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             *     - `contention`: Too many writes met in one place. Nothing was written; send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "create-journal-entry": {
        parameters: {
            query?: never;
            header?: {
                /** @description Optional, 1 to 255 visible ASCII characters, unique for ever within the tenant. A request with the key of an earlier one posts nothing and returns the entry of that one, as with `external_id`. Where both are given and stand for two entries, it is refused as idempotency_key_reused. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateJournalEntryRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description `true` where the entry was recorded by an earlier request with the same external_id or Idempotency-Key. */
                    "Idempotent-Replayed"?: string;
                    /** @description JSON Pointers to the fields of a repeat that differ from the original entry, separated by commas. A pointer to a line or to /entries covers every field below it. */
                    "Idempotency-Mismatch"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateJournalEntryReply"];
                };
            };
            /**
             * @description Bad Request
             *
             *     - `malformed_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             *     - `api_key_read_only`: This API key may only read. Send the request with one that may change things.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `tenant_not_found`: The calling application has no such tenant.
             *     - `user_not_found`: The calling application has no such user.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Payload Too Large
             *
             *     - `body_too_large`: The body is larger than the service accepts.
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unsupported Media Type
             *
             *     - `content_type_not_supported`: Send the body as Content-Type: application/json.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             *     - `idempotency_key_reused`: This Idempotency-Key was used for a request with other content.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             *     - `contention`: Too many writes met in one place. Nothing was written; send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "create-journal-entries": {
        parameters: {
            query?: never;
            header?: {
                /** @description Optional, 1 to 255 visible ASCII characters, unique for ever within the tenant. A request with the key of an earlier one posts nothing and returns the entries of that one. It is refused as idempotency_key_reused where it has another number of entries, or an `external_id` that stands for another entry. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateJournalEntriesRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description `true` where every entry was recorded by an earlier request. */
                    "Idempotent-Replayed"?: string;
                    /** @description JSON Pointers to the fields of repeats that differ from the original entries, separated by commas. A pointer to a line, to /entries or to an entry covers every field below it. */
                    "Idempotency-Mismatch"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateJournalEntriesReply"];
                };
            };
            /**
             * @description Bad Request
             *
             *     - `malformed_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             *     - `api_key_read_only`: This API key may only read. Send the request with one that may change things.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `tenant_not_found`: The calling application has no such tenant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Payload Too Large
             *
             *     - `body_too_large`: The body is larger than the service accepts.
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unsupported Media Type
             *
             *     - `content_type_not_supported`: Send the body as Content-Type: application/json.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             *     - `idempotency_key_reused`: This Idempotency-Key was used for a request with other content.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             *     - `contention`: Too many writes met in one place. Nothing was written; send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "reverse-journal-entry": {
        parameters: {
            query?: never;
            header?: {
                /** @description Optional, 1 to 255 visible ASCII characters, unique for ever within the tenant. A request with the key of an earlier one returns the reversal of that one, also where it was cancelled since. Where the key stands for something else, the request is refused as idempotency_key_reused. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReverseJournalEntryRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description `true` where the reversal was recorded by an earlier request. */
                    "Idempotent-Replayed"?: string;
                    /** @description JSON Pointers to the fields of a repeat that differ from the reversal, separated by commas. */
                    "Idempotency-Mismatch"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReverseJournalEntryReply"];
                };
            };
            /**
             * @description Bad Request
             *
             *     - `malformed_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             *     - `api_key_read_only`: This API key may only read. Send the request with one that may change things.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `tenant_not_found`: The calling application has no such tenant.
             *     - `journal_entry_not_found`: The tenant has no such journal entry.
             *     - `user_not_found`: The calling application has no such user.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Conflict
             *
             *     - `entry_is_a_reversal`: The entry is a reversal itself, which is not reversed. Post a new entry.
             *     - `entry_not_posted`: The entry is not posted, so there is nothing to reverse.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Payload Too Large
             *
             *     - `body_too_large`: The body is larger than the service accepts.
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unsupported Media Type
             *
             *     - `content_type_not_supported`: Send the body as Content-Type: application/json.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             *     - `idempotency_key_reused`: This Idempotency-Key was used for a request with other content.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             *     - `contention`: Too many writes met in one place. Nothing was written; send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "cancel-journal-entry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelJournalEntryRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description `true` where the entry was cancelled by an earlier request. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelJournalEntryReply"];
                };
            };
            /**
             * @description Bad Request
             *
             *     - `malformed_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             *     - `api_key_read_only`: This API key may only read. Send the request with one that may change things.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `tenant_not_found`: The calling application has no such tenant.
             *     - `journal_entry_not_found`: The tenant has no such journal entry.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Conflict
             *
             *     - `entry_not_scheduled`: The entry is not scheduled, so it cannot be cancelled. Reverse it if it is posted.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Payload Too Large
             *
             *     - `body_too_large`: The body is larger than the service accepts.
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unsupported Media Type
             *
             *     - `content_type_not_supported`: Send the body as Content-Type: application/json.
             */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             *     - `contention`: Too many writes met in one place. Nothing was written; send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "get-journal-entry": {
        parameters: {
            query: {
                /**
                 * @description The tenant: its subdomain prefix or its full domain, in any case.
                 * @example analytical-engines-k7m2xq
                 */
                domain_url: string;
                /**
                 * @description Id of the entry, from the reply that created it.
                 * @example 2d25c440-0000-8012-9e3f-0a4a55d6e1f6
                 */
                journal_entry_id?: string;
                /**
                 * @description Number of the entry: `MJ-` for manual, `IJ-` for imported journals.
                 * @example MJ-20260323-0001
                 */
                journal_number?: string;
                /**
                 * @description Your application's own id for the entry, from the request that created it.
                 * @example invoice-2026-0042
                 */
                external_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetJournalEntryReply"];
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `tenant_not_found`: The calling application has no such tenant.
             *     - `journal_entry_not_found`: The tenant has no such journal entry.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "list-journal-entries": {
        parameters: {
            query: {
                /**
                 * @description The tenant: its subdomain prefix or its full domain, in any case.
                 * @example analytical-engines-k7m2xq
                 */
                domain_url: string;
                /**
                 * @description Only entries of this `date` or a later one; with `status=scheduled`, of this `posting_date`.
                 * @example 2026-03-01
                 */
                from?: string;
                /**
                 * @description Only entries of this `date` or an earlier one; with `status=scheduled`, of this `posting_date`.
                 * @example 2026-03-31
                 */
                to?: string;
                /** @description Only entries of this status; of any where it is left out. */
                status?: "posted" | "scheduled" | "cancelled";
                /** @description Only entries of this type; of both where it is left out. */
                entry_type?: "Manual Journal" | "Imported Journal";
                /**
                 * @description Only entries with a line on the account of this code.
                 * @example 1010
                 */
                account?: string;
                /** @description `desc`: the latest date first; `asc`: the earliest. */
                order?: "asc" | "desc";
                /**
                 * @description Maximum number of items on the page. Defaults to 50.
                 * @example 1
                 */
                limit?: number;
                /** @description `next_cursor` of the previous page. Send the same query; only `limit` may change. Omit it for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListJournalEntriesReply"];
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `tenant_not_found`: The calling application has no such tenant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "get-trial-balance": {
        parameters: {
            query: {
                /**
                 * @description The tenant: its subdomain prefix or its full domain, in any case.
                 * @example analytical-engines-k7m2xq
                 */
                domain_url: string;
                /** @description Everything up to and including this posting date. Today (UTC) where neither this nor a period is given. */
                as_of?: string;
                /**
                 * @description First posting date of the period; it needs `to`, and excludes `as_of`.
                 * @example 2026-03-01
                 */
                from?: string;
                /**
                 * @description Last posting date of the period; it needs `from`, and excludes `as_of`.
                 * @example 2026-03-31
                 */
                to?: string;
                /** @description Only the account of this code, and its totals. */
                account?: string;
                /**
                 * @description Whether each row also shows amounts in other currencies.
                 * @example true
                 */
                by_currency?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTrialBalanceReply"];
                    "text/csv": string;
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `tenant_not_found`: The calling application has no such tenant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             *     - `reply_too_large`: The reply would be larger than the service can send. Ask for less of it.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "get-account-ledger": {
        parameters: {
            query: {
                /**
                 * @description The tenant: its subdomain prefix or its full domain, in any case.
                 * @example analytical-engines-k7m2xq
                 */
                domain_url: string;
                /**
                 * @description Code of the account.
                 * @example 1010
                 */
                account: string;
                /**
                 * @description First posting date.
                 * @example 2026-03-01
                 */
                from: string;
                /**
                 * @description Last posting date.
                 * @example 2026-03-31
                 */
                to: string;
                /**
                 * @description Maximum number of items on the page. Defaults to 50.
                 * @example 1
                 */
                limit?: number;
                /** @description `next_cursor` of the previous page. Send the same query; only `limit` may change. Omit it for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The `cursor` of the next page, as in `next_cursor`; absent on the last page. */
                    "Next-Cursor"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAccountLedgerReply"];
                    "text/csv": string;
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `tenant_not_found`: The calling application has no such tenant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "get-balance-sheet": {
        parameters: {
            query: {
                /**
                 * @description The tenant: its subdomain prefix or its full domain, in any case.
                 * @example analytical-engines-k7m2xq
                 */
                domain_url: string;
                /**
                 * @description Everything up to and including this posting date; today (UTC) without it.
                 * @example 2026-03-31
                 */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetBalanceSheetReply"];
                    "text/csv": string;
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `tenant_not_found`: The calling application has no such tenant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             *     - `reply_too_large`: The reply would be larger than the service can send. Ask for less of it.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "get-profit-and-loss": {
        parameters: {
            query: {
                /**
                 * @description The tenant: its subdomain prefix or its full domain, in any case.
                 * @example analytical-engines-k7m2xq
                 */
                domain_url: string;
                /**
                 * @description First posting date. Defaults to the first day of the fiscal year that contains `to`.
                 * @example 2026-01-01
                 */
                from?: string;
                /**
                 * @description Last posting date. Defaults to today (UTC).
                 * @example 2026-03-31
                 */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetProfitAndLossReply"];
                    "text/csv": string;
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `tenant_not_found`: The calling application has no such tenant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             *     - `reply_too_large`: The reply would be larger than the service can send. Ask for less of it.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "get-cash-flow": {
        parameters: {
            query: {
                /**
                 * @description The tenant: its subdomain prefix or its full domain, in any case.
                 * @example analytical-engines-k7m2xq
                 */
                domain_url: string;
                /**
                 * @description First posting date. Defaults to the first day of the fiscal year that contains `to`.
                 * @example 2026-01-01
                 */
                from?: string;
                /**
                 * @description Last posting date. Defaults to today (UTC).
                 * @example 2026-03-31
                 */
                to?: string;
                /**
                 * @description How operating cash flows are shown; the tenant's `cash_flow_method` without.
                 * @example indirect
                 */
                method?: "direct" | "indirect";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCashFlowReply"];
                    "text/csv": string;
                };
            };
            /**
             * @description Unauthorized
             *
             *     - `api_key_not_accepted`: The X-API-Key header is missing, or its key is unknown, expired or revoked.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Forbidden
             *
             *     - `application_suspended`: The application of this API key is suspended.
             *     - `request_blocked`: The request was blocked before it reached the service.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `route_not_found`: There is no such route. Check the path.
             *     - `tenant_not_found`: The calling application has no such tenant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Unprocessable Entity
             *
             *     - `validation_failed`: The request breaks the rules listed in details.
             *     - `reply_too_large`: The reply would be larger than the service can send. Ask for less of it.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Too Many Requests
             *
             *     - `too_many_requests`: Too many requests. Wait for as long as Retry-After says.
             *     - `cost_budget_exhausted`: The application has used its read or write units faster than its budget allows. Wait as long as Retry-After says.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Internal Server Error
             *
             *     - `internal_error`: Something went wrong on our side. Quote the request_id to report it.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Service Unavailable
             *
             *     - `temporarily_unavailable`: The service cannot answer just now. Send the request again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description Gateway Timeout
             *
             *     - `request_timed_out`: The request took too long. Send it again.
             */
            504: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
}
